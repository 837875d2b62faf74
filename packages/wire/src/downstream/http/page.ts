/** What the listener serves at paths besides MCP: pages such as metrics, and sites. */

import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Page {
  /** Its media type. */
  readonly type: string;
  /** Served without a credential, even if one is required elsewhere. */
  readonly isPublic?: boolean;
  readonly text: () => string | Promise<string>;
}

/** Answers all requests for its paths. */
export type Site = (request: IncomingMessage, response: ServerResponse) => void;
