/** Starts one run of a server, as its options say. */

import type { Reply } from '@callsign/core';

import { Link } from './link.js';
import type { LinkEvents, Transport } from './link-options.js';
import { LIST_LIMITS } from './list-budget.js';
import type { UpstreamOptions } from './upstream-options.js';

/** Calls that may wait for an answer at once. */
export const MAX_PENDING = 1_024;
/** How often a call may find that its server has moved. */
export const MAX_MOVES = 5;
/** How long a start may take, in milliseconds. */
export const START_MS = 30_000;
/** Characters that may wait until the server reads them. */
const MAX_BACKLOG = 64 * 1024 * 1024;

export interface Opening {
  /** Whether a pipe is asked for the stateless era too. */
  readonly probe: boolean;
  readonly events: LinkEvents;
}

export function openLink(
  options: UpstreamOptions,
  transport: Transport,
  { probe, events }: Opening,
): Link {
  const { key, self, log } = options;
  return new Link(
    {
      key,
      transport,
      self,
      era: transport.era ?? options.era ?? 'auto',
      probe,
      timeoutMs: options.startTimeoutMs ?? START_MS,
      maxPending: options.maxPending ?? MAX_PENDING,
      maxBacklog: options.maxBacklog ?? MAX_BACKLOG,
      limits: { ...LIST_LIMITS, ...options.lists },
      clientCapabilities: options.clientCapabilities,
      warn: (message) => log?.('warning', `[${key}] ${message}`),
    },
    events,
  );
}

/**
 * Whether it is certain that a call did not reach its server at another instance: that instance said so, or there was
 * no connection to it. Any other status may have come after the server had the call.
 */
export function isUnsent({ fault }: Reply): boolean {
  if (fault?.code === 'upstream-moved') return true;
  return fault?.code === 'upstream-unavailable' && fault.details['status'] === undefined;
}
