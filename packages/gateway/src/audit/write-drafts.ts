/** A batch as the text that is kept. Put together by hand, in small numbers: there are a lot of records. */

import { hash } from 'node:crypto';

import { JsonScan, memberText, NO_MORE } from '@callsign/core';

import type { CallEntry, GapEntry, IntentEntry, Shared } from './audit-entry.js';
import type { GapRecord } from './audit-record.js';
import type { Draft } from './audit-store.js';
import { type Batch, entriesOf } from './batch.js';

/** Arguments without their secrets. */
export type Redact = (argumentsJson: string, inputSchema: string | undefined) => string;

/** Short enough that little is read for one record, and little is kept too long for one that is young. */
const LONGEST = 64 * 1024;

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
  const numbers = new Map<Shared, number>();
  let lines: string[] = [];
  let length = 0;
  let n = first - 1;
  for (const entry of entriesOf(batch)) {
    if (length >= LONGEST) finish();
    n = entry.n;
    const line = entry.kind === 'gap' ? gapText(entry, writer) : callText(entry);
    length += line.length;
    lines.push(line);
  }
  if (lines.length > 0) finish();
  return drafts;

  function callText(entry: CallEntry | IntentEntry): string {
    const number = numbers.get(entry.shared);
    if (number !== undefined) return `[${number},${rowText(entry, first, firstTime, redact)}]`;
    numbers.set(entry.shared, numbers.size);
    const shared = `${start},${entry.shared.text.slice(1)}`;
    return `[${shared},${rowText(entry, first, firstTime, redact)}]`;
  }

  function finish(): void {
    drafts.push({ n, lines });
    numbers.clear();
    [lines, length] = [[], 0];
  }
}

function rowText(
  entry: CallEntry | IntentEntry,
  firstN: number,
  firstTime: number,
  redact: Redact | undefined,
): string {
  const { n, params, session } = entry;
  const isCall = entry.kind === 'call';
  const time = Math.trunc(entry.time) - firstTime;
  const given = argumentsIn(params);
  const microseconds = isCall ? Math.round(entry.ms * 1000) : 0;
  const sizeOut = isCall ? entry.sizeOut : 0;
  const fingerprint = given === undefined ? 'null' : `"${hash('sha256', given, 'base64')}"`;
  const text = `${n - firstN},${time},${params.length},${microseconds},${sizeOut},${fingerprint}`;
  const intent = isCall && entry.intent !== undefined ? entry.intent - firstN : null;
  const kept = redact && given !== undefined ? redacted(given, entry.shared, redact) : null;
  if (intent === null && session === undefined && kept === null) return text;
  return `${text},${JSON.stringify([intent, session ?? null, kept]).slice(1, -1)}`;
}

function redacted(given: string, { definition = '{}' }: Shared, redact: Redact): string {
  return redact(given, memberText(definition, 'inputSchema'));
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
