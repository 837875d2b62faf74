/** The variable parts of the greeting for a session without a credential. */

import { extensionCapabilities } from '@callsign/extensions';

import type { Gateway } from './gateway.js';

export interface FirstGreeting {
  readonly instructions?: string;
  /** Tasks and extensions. */
  readonly capabilities: Readonly<Record<string, object>>;
}

export function firstGreeting(gateway: Pick<Gateway, 'viewFor'>): FirstGreeting {
  const view = gateway.viewFor(undefined);
  const { instructions } = view;
  return {
    ...(instructions === undefined ? {} : { instructions }),
    capabilities: extensionCapabilities(view.capabilitiesFor('session'), 'session'),
  };
}
