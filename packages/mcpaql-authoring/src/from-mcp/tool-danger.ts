/** How dangerous a tool is by its own word; a warning counts, whoever gives it. */

import type { Endpoint } from '@callsign/annotations';
import { assumedDanger, type DangerLevel, isAtLeast } from '@callsign/mcpaql';

import { memberOf } from '../spec/spec-node.js';

/** What to write into the adapter; nothing for the harmless. */
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
