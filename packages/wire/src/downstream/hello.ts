/** Reads the client information of an `initialize` request. */

import { CallsignError, memberText, type Caller } from '@callsign/core';

import { agreedVersion } from './greeting.js';

export interface Hello {
  readonly client: Caller['client'];
  /** The client's capabilities, as JSON text and as an object. */
  readonly capabilities: string;
  readonly declared: Readonly<Record<string, unknown>>;
  /** The agreed protocol version. */
  readonly version: string;
}

/** Reads the parameters of `initialize`. Missing or invalid values count as unknown. */
export function readHello(params: string): Hello {
  if (!params.startsWith('{')) {
    throw new CallsignError('invalid-params', { reason: 'params must be an object' });
  }
  const asked = JSON.parse(params) as Record<string, unknown>;
  const { protocolVersion, clientInfo, capabilities } = asked;
  const { name, version } = (clientInfo ?? {}) as Record<string, unknown>;
  const isDeclared = typeof capabilities === 'object' && capabilities !== null;
  return {
    client: {
      name: typeof name === 'string' ? name : 'unknown',
      version: typeof version === 'string' ? version : '0',
    },
    capabilities: isDeclared ? memberText(params, 'capabilities')! : '{}',
    declared: isDeclared ? (capabilities as Record<string, unknown>) : {},
    version: agreedVersion(protocolVersion),
  };
}
