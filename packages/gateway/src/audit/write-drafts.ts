/** A batch as the text that is kept. Put together by hand, in small numbers: there are a lot of records. */

import { hash } from 'node:crypto';

import { JsonScan, memberText, NO_MORE } from '@callsign/core';

import type { CallEntry, GapEntry, IntentEntry, Shared } from './audit-entry.js';
import type { GapRecord } from './audit-record.js';
import type { Draft } from './audit-store.js';
import { type Batch, eachEntry } from './batch.js';
import { LineBuffer } from './line-buffer.js';

/** Arguments without their secrets. */
export type Redact = (argumentsJson: string, inputSchema: string | undefined) => string;

/** Short enough that little is read for one record, and little is kept too long for one that is young. */
const LONGEST = 64 * 1024;
const COMMA = 44;
const BRACKET = 91;
/** In place of a fingerprint that is the one before it, of those that have the same in common. */
const AS_BEFORE = ',0';

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
  const lines = new LineBuffer();
  let n = first - 1;
  eachEntry(batch, (entry) => {
    if (lines.length >= LONGEST) finish();
    n = entry.n;
    lines.beginLine();
    if (entry.kind === 'gap') lines.text(gapText(entry, writer));
    else writeCall(entry);
  });
  if (lines.length > 0) finish();
  return drafts;

  function writeCall(entry: CallEntry | IntentEntry): void {
    const { shared, params } = entry;
    const common = known.get(shared);
    if (!common) {
      const fingerprint = fingerprintText(params);
      known.set(shared, { number: known.size, params, fingerprint });
      lines.text(`[${start},${shared.text.slice(1)}`);
      return writeRow(entry, fingerprint);
    }
    const before = common.fingerprint;
    if (params !== common.params) {
      common.params = params;
      common.fingerprint = fingerprintText(params);
    }
    lines.integer(BRACKET, common.number);
    writeRow(entry, common.fingerprint === before ? AS_BEFORE : common.fingerprint);
  }

  function writeRow(entry: CallEntry | IntentEntry, fingerprint: string): void {
    const isCall = entry.kind === 'call';
    lines.integer(COMMA, entry.n - first);
    lines.integer(COMMA, Math.trunc(entry.time) - firstTime);
    lines.integer(COMMA, entry.params.length);
    lines.integer(COMMA, isCall ? Math.round(entry.ms * 1000) : 0);
    lines.integer(COMMA, isCall ? entry.sizeOut : 0);
    lines.text(fingerprint);
    const intent = isCall && entry.intent !== undefined ? entry.intent - first : null;
    const kept = redact ? keptText(entry, redact) : null;
    if (intent !== null || entry.session !== undefined || kept !== null) {
      lines.text(`,${JSON.stringify([intent, entry.session ?? null, kept]).slice(1, -1)}`);
    }
    lines.text(']');
  }

  function finish(): void {
    drafts.push({ n, ...lines.take() });
    known.clear();
  }
}

function fingerprintText(params: string): string {
  const given = argumentsIn(params);
  return given === undefined ? ',null' : `,"${hash('sha256', given, 'base64')}"`;
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
