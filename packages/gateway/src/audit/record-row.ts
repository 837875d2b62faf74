/** A call's record in two parts: what it shares with others, and a row of what is its own. */

import type { AuditRecord, CallerFacts, CallRecord, IntentRecord } from './audit-record.js';

type Own = 'id' | 'time' | 'sizeIn' | 'fingerprint' | 'arguments' | 'ms' | 'sizeOut' | 'intent';

/** Said once for all records of a segment that have it in common. */
export type SharedMembers = (Omit<IntentRecord, Own> | Omit<CallRecord, Own>) & {
  readonly writer: string;
  /** From where the numbers and the times of the rows are counted; small numbers are short. */
  readonly n: number;
  readonly time: number;
};

/** What stands behind it, in this order. The last three are left out if there is none of them. */
export type Row = readonly [
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

/** What records of a segment have in common, while they are read one after the other. */
export interface Common {
  readonly members: SharedMembers;
  /** Of the last one. */
  fingerprint: string | null;
}

/** The record as the types of audit-record.ts have it. Throws on what is no such row. */
export function recordOf(common: Common, row: Row): AuditRecord {
  const shared = common.members;
  const [n, milliseconds, sizeIn, microseconds, sizeOut, own, intent, session, given] = row;
  if (own !== 0) common.fingerprint = own;
  const { fingerprint } = common;
  const { kind, severity, tool, risk, riskFrom, name, method, caller, decision, rule } = shared;
  const facts = {
    id: idOf(shared, n),
    time: new Date(shared.time + milliseconds).toISOString(),
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
  const { outcome, retries } = shared;
  const announced = typeof intent === 'number' ? { intent: idOf(shared, intent) } : {};
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
