/** The colour for how a call ended. */

import type { CallsignErrorCode } from '@callsign/core';
import { type Meaning } from '@callsign/terminal';

/** We did not make the call, or its caller did not wait for it. Every other end that is not `ok` is a failure. */
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

export function outcomeMeaning(outcome: string): Meaning {
  if (outcome === 'ok') return 'good';
  return REFUSALS.some((code) => code === outcome) ? 'warning' : 'bad';
}
