/** What the listener serves at paths besides MCP: pages such as metrics, and sites. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Answer } from './answer.js';
import { refuse } from './session-leg.js';

export interface Page {
  /** Its media type. */
  readonly type: string;
  /** Served without a credential, even if one is required elsewhere. */
  readonly isPublic?: boolean;
  readonly text: () => string | Promise<string>;
}

/** Answers all requests for its paths. */
export type Site = (request: IncomingMessage, response: ServerResponse) => void;

export async function showPage(
  { type, text }: Page,
  request: IncomingMessage,
  answer: Answer,
): Promise<void> {
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(answer.with({ allow: 'GET' }), 405, -32000, 'Method not allowed.');
  }
  try {
    answer.text(200, type, await text());
  } catch {
    refuse(answer, 500, -32603, 'Internal error: this page could not be made.');
  }
}
