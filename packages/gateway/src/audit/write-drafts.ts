/** A batch as the text that is kept. Put together by hand, in small numbers: there are a lot of records. */

import { hash } from 'node:crypto';

import { JsonScan, memberText, NO_MORE } from '@callsign/core';

import type { CallEntry, GapEntry, IntentEntry, Shared } from './audit-entry.js';
import type { GapRecord } from './audit-record.js';
import type { Draft } from './audit-store.js';
import { type Batch, eachEntry } from './batch.js';

/** Arguments without their secrets. */
export type Redact = (argumentsJson: string, inputSchema: string | undefined) => string;

/** Short enough that little is read for one record, and little is kept too long for one that is young. */
const LONGEST = 64 * 1024;
/** Lines that are put together at a time. */
const AT_ONCE = 32;

/** In place of a fingerprint that is the one before it, of those that have the same in common. */
const AS_BEFORE = '0';

/** What calls in a segment have in common, and the last of them: the next one is often the same. */
interface Common {
  readonly number: number;
  params: string;
  fingerprint: string;
}

/**
 * A line per record. That of a gap is the record; any other is an array, whose first element is what the
 * call shares with others, or the number of what was there before, and the rest a `Row` (record-row.ts).
 * Arguments themselves are kept only if there is a way to redact them.
 */
export function writeDrafts(batch: Batch, redact?: Redact): Draft[] {
  const { writer, first } = batch;
  const firstTime = Math.trunc(batch.numbers[1] ?? 0);
  const start = JSON.stringify({ writer, n: first, time: firstTime }).slice(0, -1);
  const drafts: Draft[] = [];
  const known = new Map<Shared, Common>();
  let lines: string[] = [];
  /** Lines that were put together already: each by itself would be a burden for the collector. */
  let parts: string[] = [];
  let [count, length] = [0, 0];
  let n = first - 1;
  eachEntry(batch, (entry) => {
    if (length >= LONGEST) finish();
    n = entry.n;
    const line = entry.kind === 'gap' ? gapText(entry, writer) : callText(entry);
    count++;
    length += line.length;
    if (lines.push(line) === AT_ONCE) gather();
  });
  if (count > 0) finish();
  return drafts;

  function callText(entry: CallEntry | IntentEntry): string {
    const { shared, params } = entry;
    const common = known.get(shared);
    if (!common) {
      const fingerprint = fingerprintText(params);
      known.set(shared, { number: known.size, params, fingerprint });
      return `[${start},${shared.text.slice(1)},${rowText(entry, fingerprint)}]`;
    }
    const before = common.fingerprint;
    if (params !== common.params) {
      common.params = params;
      common.fingerprint = fingerprintText(params);
    }
    const { number, fingerprint } = common;
    return `[${number},${rowText(entry, fingerprint === before ? AS_BEFORE : fingerprint)}]`;
  }

  function rowText(entry: CallEntry | IntentEntry, fingerprint: string): string {
    const isCall = entry.kind === 'call';
    const time = Math.trunc(entry.time) - firstTime;
    const microseconds = isCall ? Math.round(entry.ms * 1000) : 0;
    const sizeOut = isCall ? entry.sizeOut : 0;
    const text = `${entry.n - first},${time},${entry.params.length},${microseconds},${sizeOut},${fingerprint}`;
    const intent = isCall && entry.intent !== undefined ? entry.intent - first : null;
    const kept = redact ? keptText(entry, redact) : null;
    if (intent === null && entry.session === undefined && kept === null) return text;
    return `${text},${JSON.stringify([intent, entry.session ?? null, kept]).slice(1, -1)}`;
  }

  function gather(): void {
    if (lines.length > 0) parts.push(lines.join('\n'));
    lines = [];
  }

  function finish(): void {
    gather();
    drafts.push({ n, count, body: parts.join('\n') });
    known.clear();
    parts = [];
    [count, length] = [0, 0];
  }
}

function fingerprintText(params: string): string {
  const given = argumentsIn(params);
  return given === undefined ? 'null' : `"${hash('sha256', given, 'base64')}"`;
}

function keptText({ params, shared }: CallEntry | IntentEntry, redact: Redact): string | null {
  const given = argumentsIn(params);
  if (given === undefined) return null;
  return redact(given, memberText(shared.definition ?? '{}', 'inputSchema'));
}

function gapText({ kind, n, time, lost, reason }: GapEntry, writer: string): string {
  const record: GapRecord = {
    kind,
    id: `${writer}-${n}`,
    time: new Date(time).toISOString(),
    severity: 'error',
    lost,
    reason,
  };
  return JSON.stringify(record);
}

/** What the parameters hold under that key, to the letter; the last of several, as in `JSON.parse`. */
function argumentsIn(params: string): string | undefined {
  // Whoever took them off the wire has looked for control characters.
  const scan = new JsonScan(params, false);
  let found: string | undefined;
  let at = scan.firstMember(scan.skipSpace(0));
  while (at >= 0) {
    const isFound = scan.key === 'arguments';
    const end = scan.skipValue(at);
    if (isFound) found = params.slice(at, end);
    at = scan.nextMember(end);
  }
  return at === NO_MORE ? found : undefined;
}

/** As records show it: equal for arguments that are equal to the letter. */
export function fingerprintOf(argumentsJson: string): string {
  return `sha256:${hash('sha256', argumentsJson)}`;
}
