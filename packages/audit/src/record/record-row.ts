/** A call's record in two parts: what it shares with others, and a row of what is its own. */

import type { AuditRecord, CallerFacts, CallRecord, IntentRecord } from './audit-record.js';

type Own = 'id' | 'time' | 'sizeIn' | 'fingerprint' | 'arguments' | 'ms' | 'sizeOut' | 'intent';

/** Said once for all records of a segment that have it in common. */
type SharedMembers = (Omit<IntentRecord, Own> | Omit<CallRecord, Own>) & {
  readonly writer: string;
  /** From where the numbers and the times of the rows are counted; small numbers are short. */
  readonly n: number;
  readonly time: number;
};

/** What stands behind it, in this order. The last three are left out if there is none of them. */
type Row = readonly [
  n: number,
  milliseconds: number,
  sizeIn: number,
  /** How long it took; nothing of a call that is about to be made. */
  microseconds: number,
  sizeOut: number,
  /** In base64, since there are a lot of them; 0 if it is that of the record before with the same in common. */
  fingerprint: string | null | 0,
  /** The number of the entry that announced it. */
  intent?: number | null,
  session?: string | null,
  argumentsText?: string | null,
];

/** A call like the last one with the same in common, but for its time; its number follows that of the line before. */
type ShortRow = readonly [milliseconds: number, microseconds: number];

/** What records have in common, or the number of what others had before them, and the row. */
export type SharedAndRow = readonly [number | SharedMembers, ...(Row | ShortRow)];

/** What some have in common, and what their last one said. */
interface Common {
  readonly members: SharedMembers;
  sizeIn: number;
  sizeOut: number;
  fingerprint: string | null;
}

/** Reads the rows of one segment, in their order. */
export class RowReader {
  readonly #common: Common[] = [];
  /** How many of these surely have the number that they had when they were written. */
  #sure = Infinity;
  /** The number of the last line. */
  #n = NaN;

  /** The record as the types of audit-record.ts have it. Throws on what is no such row. */
  read([shared, ...row]: SharedAndRow): AuditRecord {
    const common = typeof shared === 'number' ? this.#known(shared) : commonOf(shared);
    const whole = row.length === 2 ? this.#whole(common, row) : row;
    const [n, , sizeIn, , sizeOut, own] = whole;
    const fingerprint = own === 0 ? common.fingerprint : own;
    const record = recordOf(common.members, whole, fingerprint);
    if (typeof shared !== 'number') this.#common.push(common);
    this.#n = n;
    Object.assign(common, { sizeIn, sizeOut, fingerprint });
    return record;
  }

  /** There is a line that is no row. */
  pass(): void {
    this.#n++;
  }

  /** There is a line that cannot be read: others may have been the same in part, or have counted it. */
  lose(): void {
    this.pass();
    this.#sure = Math.min(this.#sure, this.#common.length);
    for (const common of this.#common) common.fingerprint = null;
  }

  #known(number: number): Common {
    const common = this.#common[number];
    if (!common || number >= this.#sure) throw new RangeError('nobody can tell what it shares');
    return common;
  }

  #whole({ sizeIn, sizeOut }: Common, [milliseconds, microseconds]: ShortRow): Row {
    return [this.#n + 1, milliseconds, sizeIn, microseconds, sizeOut, 0];
  }
}

function commonOf(members: SharedMembers): Common {
  return { members, sizeIn: 0, sizeOut: 0, fingerprint: null };
}

function recordOf(members: SharedMembers, row: Row, fingerprint: string | null): AuditRecord {
  const [n, milliseconds, sizeIn, microseconds, sizeOut, , intent, session, given] = row;
  const { kind, severity, tool, risk, riskFrom, name, method, caller, decision, rule } = members;
  const facts = {
    id: idOf(members, n),
    time: new Date(members.time + milliseconds).toISOString(),
    severity,
    tool,
    ...(risk === undefined ? {} : { risk, riskFrom }),
    name,
    method,
    caller: callerOf(caller, session),
    ...(decision === undefined ? {} : { decision, rule }),
    sizeIn,
    ...(fingerprint === null ? {} : { fingerprint: fingerprintOf(fingerprint) }),
    ...(typeof given === 'string' ? { arguments: given } : {}),
  };
  if (kind === 'intent') return { kind, ...facts };
  const { outcome, retries } = members;
  const announced = typeof intent === 'number' ? { intent: idOf(members, intent) } : {};
  return { kind, ...facts, outcome, ms: microseconds / 1000, retries, sizeOut, ...announced };
}

function idOf({ writer, n }: SharedMembers, more: number): string {
  return `${writer}-${n + more}`;
}

function callerOf(caller: CallerFacts, session: string | null | undefined): CallerFacts {
  return typeof session === 'string' ? { ...caller, session } : caller;
}

function fingerprintOf(base64: string): string {
  return `sha256:${Buffer.from(base64, 'base64').toString('hex')}`;
}
