/**
 * The parts of the `initialize` answer that depend on the servers, for clients without a
 * credential.
 */

import { extensionCapabilities } from '@callsign/wire/extensions';

import type { Gateway } from './gateway.js';

/** Must not depend on the caller: every client without a credential gets the same. */
export interface FirstGreeting {
  readonly instructions?: string;
  /** Tasks and extensions. */
  readonly capabilities: Readonly<Record<string, object>>;
}

/** Stored between runs, so that the next start can answer `initialize` before its servers run. */
export function firstGreeting(gateway: Pick<Gateway, 'viewFor' | 'tasks'>): FirstGreeting {
  const view = gateway.viewFor(undefined);
  const { instructions } = view;
  return {
    ...(instructions === undefined ? {} : { instructions }),
    capabilities: extensionCapabilities(
      [...view.capabilitiesFor('session'), ...gateway.tasks.capabilities],
      'session',
    ),
  };
}
