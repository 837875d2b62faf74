/** Starts one run of a server, as its options say. */

import { Link } from './link.js';
import type { LinkEvents, Transport } from './link-options.js';
import { LIST_LIMITS } from './list-budget.js';
import type { UpstreamOptions } from './upstream-options.js';

/** How many calls may wait for an answer at the same time. */
export const MAX_PENDING = 1_024;
/** How often one call may find that its server has moved. */
export const MAX_MOVES = 5;
/** How long a start may take, in milliseconds. */
export const START_MS = 30_000;
/** Characters that the server has not read yet. */
const MAX_BACKLOG = 64 * 1024 * 1024;

export interface Opening {
  /** Whether to probe for the stateless era on a pipe. */
  readonly probe: boolean;
  readonly events: LinkEvents;
}

/** Connects at once, but does not wait for the handshake. */
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
      explain: options.explain,
      warn: warnOnce((message) => log?.('warning', `[${key}] ${message}`)),
    },
    events,
  );
}

/** Different warnings about one run of a server. */
const MAX_WARNINGS = 100;

/** Passes each warning on once: lists that change all the time have the same faults each time. */
function warnOnce(warn: (message: string) => void): (message: string) => void {
  const warned = new Set<string>();
  return (message) => {
    if (warned.has(message) || warned.size > MAX_WARNINGS) return;
    warned.add(message);
    warn(
      warned.size > MAX_WARNINGS ? 'further warnings are left out until it starts again' : message,
    );
  };
}
