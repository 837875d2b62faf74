/** A record of a call as the values of the table `calls`. */

import type { AuditRecord, CallRecord, IntentRecord } from '../record/audit-record.js';
import { isOfCall } from '../record/audit-record.js';
import { durationBucket } from '../record/duration-bucket.js';
import type { AuditRow, CallRow } from './audit-store.js';

/** In the order of the table. */
export const CALL_COLUMNS = [
  'id',
  'time',
  'day',
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
  'session',
  'era',
  'ms',
  'retries',
  'sizeIn',
  'sizeOut',
  'fingerprint',
  'arguments',
  'announced',
  'bucket',
] as const;

/** What the record of the end adds to the row of its intent. */
export const END_COLUMNS = [
  'decision',
  'rule',
  'decisions',
  'outcome',
  'ms',
  'retries',
  'sizeOut',
  'bucket',
] as const;

type Value = string | number | null;

/** The intent and the end of a call have one row: it carries the id of the intent. */
export function callValues(record: CallRecord | IntentRecord): Value[] {
  const { evidence, decisions, arguments: given } = record;
  const end = record.kind === 'call' ? record : undefined;
  const announcedBy = end?.intent;
  return [
    announcedBy ?? record.id,
    record.time,
    record.time.slice(0, 10),
    record.severity,
    record.server ?? null,
    record.tool,
    record.name,
    record.method,
    record.risk ?? null,
    evidence?.by ?? null,
    evidence && 'because' in evidence ? evidence.because : null,
    record.decision ?? null,
    record.rule ?? null,
    decisions ? JSON.stringify(decisions) : null,
    end?.outcome ?? null,
    record.caller ?? null,
    record.client,
    record.clientVersion,
    record.session,
    record.era,
    end?.ms ?? null,
    end?.retries ?? null,
    record.sizeIn,
    end?.sizeOut ?? null,
    record.fingerprint ?? null,
    given === undefined ? null : JSON.stringify(given),
    end && announcedBy === undefined ? 0 : 1,
    end ? durationBucket(end.ms) : null,
  ];
}

/** A record by itself as a row, for records that do not come from a table; of an intent, one without an end. */
export function rowOf(record: AuditRecord): AuditRow | undefined {
  if (record.kind === 'journal') return undefined;
  if (!isOfCall(record)) return record;
  const values = callValues(record);
  const columns = CALL_COLUMNS.map((name, i) => [name, values[i]] as const);
  const { day, bucket, ...row } = Object.fromEntries(columns) as unknown as CallRow & Hidden;
  return { ...row, kind: 'call', announced: Boolean(row.announced) };
}

/** Columns that only serve queries. */
interface Hidden {
  readonly day: string;
  readonly bucket: number | null;
}
