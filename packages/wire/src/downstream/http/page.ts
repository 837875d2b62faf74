/** What the listener serves at paths besides MCP: pages such as metrics, and sites. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Principal } from '@callsign/core';

export interface Page {
  /** Its media type. */
  readonly type: string;
  /** Served without a credential, even if one is required elsewhere. */
  readonly isPublic?: boolean;
  /** Whether a caller may read it. Unset: every caller that is let in. */
  readonly mayRead?: (principal: Principal | undefined) => boolean;
  readonly text: () => string | Promise<string>;
}

/** Answers all requests for its paths. */
export type Site = (request: IncomingMessage, response: ServerResponse) => void;
