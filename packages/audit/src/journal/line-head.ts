/** The start of a line: its place in the journal, read without parsing the rest. */

import type { AuditRecord, JournalRecord } from '../record/audit-record.js';

export interface LineHead {
  /** The hash of the previous block. Set if the line begins a block. */
  readonly prev?: string;
  readonly writer: string;
  readonly n: number;
}

const HEAD = /^\{(?:"prev":"([0-9a-f]{64})",)?"id":"([a-z0-9]{1,32})-(\d{1,15})","/;
const HEADER = /^\{"prev":"[0-9a-f]{64}","id":"[^"]{1,64}","time":"[^"]{1,40}","kind":"journal",/;
const CALL = /^\{(?:"prev":"[0-9a-f]{64}",)?"id":"[^"]{1,64}","time":"[^"]{1,40}","kind":"call",/;

/** `undefined`: the line is not a record. */
export function lineHead(line: string): LineHead | undefined {
  const [, prev, writer, n] = HEAD.exec(line) ?? [];
  if (writer === undefined) return undefined;
  return { ...(prev === undefined ? {} : { prev }), writer, n: Number(n) };
}

/** The first record of a part; `undefined` if the line is another record. */
export function partHeader(line: string): JournalRecord | undefined {
  return HEADER.test(line) ? (recordOf(line) as JournalRecord | undefined) : undefined;
}

/** Whether the line is the record of a call. Its intent, if it has one, is another record. */
export function isCall(line: string): boolean {
  return CALL.test(line);
}

/** `undefined`: the line cannot be read. */
export function recordOf(line: string): AuditRecord | undefined {
  try {
    // The hash belongs to the line, not to the record.
    const { prev: _prev, ...record } = JSON.parse(line) as AuditRecord & { prev?: string };
    return typeof record.id === 'string' && typeof record.kind === 'string' ? record : undefined;
  } catch {
    return undefined;
  }
}
