/** A batch as the text that is kept. Put together by hand, in small numbers: there are a lot of records. */

import { hash } from 'node:crypto';

import { JsonScan, memberText, NO_MORE } from '@callsign/core';

import type { Batch, CallEntry, GapEntry, IntentEntry, Shared } from './audit-entry.js';
import type { GapRecord } from './audit-record.js';
import type { Line } from './audit-store.js';

/** Arguments without their secrets. */
export type Redact = (argumentsJson: string, inputSchema: string | undefined) => string;

/** Arguments themselves are kept only if there is a way to redact them. */
export function writeLines({ writer, entries }: Batch, redact?: Redact): Line[] {
  const first = { n: entries[0]?.n ?? 0, time: Math.trunc(entries[0]?.time ?? 0) };
  const start = JSON.stringify({ writer, ...first }).slice(0, -1);
  const shared = new Map<Shared, string>();
  return entries.map((entry) => {
    if (entry.kind === 'gap') return { n: entry.n, body: gapText(entry, writer) };
    let text = shared.get(entry.shared);
    if (text === undefined) {
      shared.set(entry.shared, (text = `${start},${entry.shared.text.slice(1)}`));
    }
    return { n: entry.n, shared: text, body: rowText(entry, first.n, first.time, redact) };
  });
}

/** The members of a `Row`, in its order. */
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
  const fingerprint = given === undefined ? 'null' : `"${hash('sha256', given, 'base64url')}"`;
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
    const end = scan.skipValue(at);
    if (end >= 0 && scan.key === 'arguments') found = params.slice(at, end);
    at = scan.nextMember(end);
  }
  return at === NO_MORE ? found : undefined;
}

/** As records show it: equal for arguments that are equal to the letter. */
export function fingerprintOf(argumentsJson: string): string {
  return `sha256:${hash('sha256', argumentsJson)}`;
}
