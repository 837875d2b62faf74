/** Records in the admin API: lists, statistics, one call, verification, export. */

import type { AuditFilter, Stats, StoredCall, StoredRecord, TimelineStep } from '@callsign/audit';
import type { FilterWords } from '@callsign/audit/records';

import type { RecordData, RecordedCall, RecordShown, RecordStats } from '../data/record-data.js';
import { TextDownload } from '../router/text-download.js';
import { AdminError } from '../router/admin-error.js';
import type { AdminRouter } from '../router/admin-router.js';
import type { RecordedCalls } from './recorded-calls.js';

const USUAL_LIMIT = 200;
const MAX_LIMIT = 1_000;
const MAX_GROUPS = 50;
const SHORT_DAYS = 3;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export function serveRecords(router: AdminRouter, recorded: RecordedCalls): void {
  router.on('GET', '/records', async ({ query }): Promise<readonly RecordData[]> => {
    const filter = await filterIn(query);
    const limit = Math.min(MAX_LIMIT, Math.max(1, Number(query.get('limit')) || USUAL_LIMIT));
    const rows = await recorded.ask((records) => records.list({ ...filter, limit }));
    return rows.toReversed().map(shownRecord);
  });

  router.on('GET', '/records/stats', async ({ query }): Promise<RecordStats> => {
    const filter = await filterIn(query);
    return recorded.ask(async (records) => {
      const stats = await records.stats(filter);
      // With only a few days, one bar per day would show too little.
      const isShort = !filter.since && stats.days.length <= SHORT_DAYS;
      const step = isShort ? 'hour' : stepFor(filter);
      const timeline = step === 'day' ? stats.days : await records.timeline(filter, step);
      return shownStats(stats, step, timeline);
    });
  });

  router.on('GET', '/records/verify', () => recorded.ask((records) => records.verify()));

  router.on('GET', '/records/export', async ({ query }) => {
    const format = query.get('format') === 'csv' ? 'csv' : 'jsonl';
    const filter = await filterIn(query);
    const records = await recorded.open();
    return new TextDownload({
      name: `callsign-records.${format}`,
      type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      parts: textOf(records.export(format, filter)),
    });
  });

  router.on('GET', '/records/:id', async ({ params }): Promise<RecordShown> => {
    const id = params.get('id')!;
    const records = await recorded.ask((all) => all.show(id));
    if (records.length === 0) throw new AdminError(404, `There is no record ${id}.`);
    const { storedRecord } = await import('@callsign/audit/records');
    const [first, last] = [records[0]!.record, records.at(-1)!.record];
    const row = storedRecord(last);
    const isCall = row?.kind === 'call';
    // The arguments are kept with the first record of a call.
    const begun = storedRecord(first);
    const recordedArguments = begun?.kind === 'call' ? begun.arguments : null;
    return {
      records,
      ...(isCall
        ? { call: shownCall({ ...row, arguments: row.arguments ?? recordedArguments }) }
        : {}),
    };
  });
}

async function filterIn(query: URLSearchParams): Promise<AuditFilter> {
  const { FILTER_WORDS, filterFrom, FilterError } = await import('@callsign/audit/records');
  const words: FilterWords = Object.fromEntries(
    FILTER_WORDS.flatMap((word) => {
      const value = query.get(word);
      return value === null || value === '' ? [] : [[word, value]];
    }),
  );
  try {
    return filterFrom(words);
  } catch (error) {
    if (error instanceof FilterError) throw new AdminError(400, error.message);
    throw error;
  }
}

/** The length of a step, so that a timeline has at most a few hundred of them. */
function stepFor({ since, until }: AuditFilter): TimelineStep {
  if (!since) return 'day';
  const ms = (until?.getTime() ?? Date.now()) - since.getTime();
  if (ms <= 180 * MINUTE_MS) return 'minute';
  return ms <= 4 * DAY_MS ? 'hour' : 'day';
}

function shownStats(
  { total, servers, tools, callers }: Stats,
  step: TimelineStep,
  timeline: RecordStats['timeline'],
): RecordStats {
  return {
    total,
    servers: servers.slice(0, MAX_GROUPS),
    tools: tools.slice(0, MAX_GROUPS),
    callers: callers.slice(0, MAX_GROUPS),
    step,
    timeline,
  };
}

function shownRecord(row: StoredRecord): RecordData {
  return row.kind === 'call' ? shownCall(row) : row;
}

/** The record with its decisions as data. */
export function shownCall(row: StoredCall): RecordedCall {
  const decisions = row.decisions === null ? [] : (JSON.parse(row.decisions) as unknown);
  return { ...row, decisions: decisions as RecordedCall['decisions'] };
}

async function* textOf(lines: AsyncIterable<readonly string[]>): AsyncGenerator<string, void> {
  for await (const some of lines) yield `${some.join('\n')}\n`;
}
