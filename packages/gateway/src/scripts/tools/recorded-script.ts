/**
 * What is known of a script that this gateway does not run: it ran in a gateway that has stopped. Every call that may
 * change something was recorded before it was sent, so nothing that was sent is missing.
 */

import type { StoredCall, StoredRecord } from '@callsign/audit';
import type { Caller } from '@callsign/core';

import { kindOfOutcome } from './inner-call.js';

export interface RecordedScript {
  /** Calls that reached their server. */
  readonly sent: readonly StoredCall[];
  readonly notSent: readonly StoredCall[];
  /** Sent, and it is not known whether they took effect. */
  readonly unknown: readonly StoredCall[];
  readonly reads: number;
}

/** `undefined`: the records have no script of this caller. */
export function recordedScript(
  records: readonly StoredRecord[],
  run: string,
  { principal, client }: Caller,
): RecordedScript | undefined {
  const calls = records.filter((each): each is StoredCall => each.kind === 'call');
  const isOwn = (call: StoredCall): boolean =>
    call.tool === run && call.caller === (principal?.name ?? null) && call.client === client.name;
  if (!calls.some(isOwn)) return undefined;
  const inner = calls.filter(({ tool }) => tool !== run);
  const changes = inner.filter(({ risk }) => risk !== 'read');
  const of = (kind: 'sent' | 'notSent' | 'unknown'): StoredCall[] =>
    changes.filter((call) => kindOf(call) === kind);
  return {
    sent: of('sent'),
    notSent: of('notSent'),
    unknown: of('unknown'),
    reads: inner.length - changes.length,
  };
}

/** Only a call with an intent was about to be sent. Without an end, it is not known what became of it. */
function kindOf({ outcome, announced }: StoredCall): 'sent' | 'notSent' | 'unknown' {
  if (outcome === null) return 'unknown';
  const kind = kindOfOutcome(outcome);
  if (kind === 'refused' || (kind === 'unknown' && !announced)) return 'notSent';
  return kind === 'unknown' ? 'unknown' : 'sent';
}
