/** The colour for how a call ended. */

import type { CallsignErrorCode } from '@callsign/core';
import { type Meaning } from '@callsign/terminal';

/** The call was not made, or its caller cancelled it. Every other outcome but `ok` is a failure. */
const REFUSALS: readonly CallsignErrorCode[] = [
  'access-denied',
  'call-cancelled',
  'credential-needed',
  'limit-reached',
  'not-approved',
  'not-recorded',
  'policy-denied',
  'server-resting',
];

/** Refused and cancelled calls are warnings. Only failures are bad. */
export function outcomeMeaning(outcome: string): Meaning {
  if (outcome === 'ok') return 'good';
  return REFUSALS.some((code) => code === outcome) ? 'warning' : 'bad';
}
