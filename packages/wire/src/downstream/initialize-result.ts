/** The reply to `initialize`. */

import { NEWEST_SESSION, SESSION_VERSIONS, type Implementation } from '../rpc/message/protocol.js';

const listChanged = true;

/** The capabilities that are announced while the real ones are not known yet. */
export const EVERYTHING: Readonly<Record<string, object>> = {
  tools: { listChanged },
  prompts: { listChanged },
  resources: { listChanged, subscribe: true },
  completions: {},
  logging: {},
};

/** The content of the reply. */
export interface Greeting {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, object>>;
  readonly self: Implementation;
  readonly instructions?: string | undefined;
}

/** The result, as JSON text. */
export function initializeResult(greeting: Greeting): string {
  const { protocolVersion, capabilities, self, instructions } = greeting;
  return JSON.stringify({
    protocolVersion,
    capabilities,
    serverInfo: self,
    ...(instructions === undefined ? {} : { instructions }),
  });
}

/** The client's protocol version if we know it, otherwise our newest one. */
export function agreedVersion(asked: unknown): string {
  return SESSION_VERSIONS.find((known) => known === asked) ?? NEWEST_SESSION;
}
