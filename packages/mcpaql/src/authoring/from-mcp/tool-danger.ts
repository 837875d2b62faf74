/** Decides the danger of a tool. A hint that warns is believed from any server. */

import { memberOf } from '@callsign/core';
import type { Endpoint } from '@callsign/effects';

import { assumedDanger, type DangerLevel, isAtLeast } from '../../adapter/danger.js';

/** The level for the adapter's file; `undefined` if the endpoint's default is enough. */
export function toolDanger(
  name: string,
  endpoint: Endpoint,
  annotations: unknown,
): DangerLevel | undefined {
  if (endpoint === 'read' || endpoint === 'create') return undefined;
  const assumed = assumedDanger(name, endpoint);
  if (isAtLeast(assumed, 'destructive')) return assumed;
  return memberOf(annotations, 'destructiveHint') === true ? 'destructive' : undefined;
}
