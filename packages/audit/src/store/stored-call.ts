/** Turns records of the journal into what the tables have. */

import {
  type AuditRecord,
  type CallRecord,
  type IntentRecord,
  isOfCall,
} from '../record/audit-record.js';
import { durationBucket } from '../record/duration-bucket.js';
import type { StoredCall, StoredRecord } from './audit-store.js';

/** The columns that many calls have in common, in the order of the tables. */
export const CALL_FACTS = [
  'severity',
  'server',
  'tool',
  'name',
  'method',
  'risk',
  'evidence',
  'because',
  'decision',
  'rule',
  'decisions',
  'outcome',
  'caller',
  'client',
  'clientVersion',
  'era',
  'script',
  'account',
] as const;

/** For an intent, a call without an end. `undefined` for the header of a file. */
export function storedRecord(record: AuditRecord): StoredRecord | undefined {
  if (record.kind === 'journal') return undefined;
  return isOfCall(record) ? storedCall(record) : record;
}

/** The intent and the end of a call are stored as one, under the id of the intent. */
export function storedCall(record: CallRecord | IntentRecord): StoredCall {
  const { evidence, decisions, arguments: given } = record;
  const end = record.kind === 'call' ? record : undefined;
  return {
    kind: 'call',
    id: end?.intent ?? record.id,
    time: record.time,
    severity: record.severity,
    server: record.server ?? null,
    tool: record.tool,
    name: record.name,
    method: record.method,
    risk: record.risk ?? null,
    evidence: evidence?.by ?? null,
    because: evidence && 'because' in evidence ? evidence.because : null,
    decision: record.decision ?? null,
    rule: record.rule ?? null,
    decisions: decisions ? JSON.stringify(decisions) : null,
    outcome: end?.outcome ?? null,
    caller: record.caller ?? null,
    client: record.client,
    clientVersion: record.clientVersion,
    session: record.session,
    era: record.era,
    ms: end?.ms ?? null,
    waitedMs: end?.waitedMs ?? null,
    retries: end?.retries ?? null,
    sizeIn: record.sizeIn,
    sizeOut: end?.sizeOut ?? null,
    fingerprint: record.fingerprint ?? null,
    arguments: given === undefined ? null : JSON.stringify(given),
    announced: !end || end.intent !== undefined,
    script: record.script ?? null,
    account: record.account ?? null,
  };
}

/** The bucket of the time that a call took without waiting for a person. `null`: it has not ended. */
export function bucketOf({ ms, waitedMs }: Pick<StoredCall, 'ms' | 'waitedMs'>): number | null {
  return ms === null ? null : durationBucket(ms - (waitedMs ?? 0));
}
