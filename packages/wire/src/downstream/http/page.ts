/** What the listener serves besides MCP: pages such as metrics, and sites. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Principal } from '@callsign/core';

import { INTERNAL_ERROR } from '../../rpc/message/rpc-error.js';
import type { Answer } from './answer.js';
import { refuse } from './refuse.js';

/** A page at a fixed path. */
export interface Page {
  /** Its media type. */
  readonly type: string;
  /** Served without a credential, even if one is required elsewhere. */
  readonly isPublic?: boolean;
  /** Whether a caller may read it. Unset: every caller that was accepted. */
  readonly mayRead?: (principal: Principal | undefined) => boolean;
  readonly text: () => string | Promise<string>;
}

/** Handles all requests for its paths. */
export type Site = (request: IncomingMessage, response: ServerResponse) => void;

export async function showPage(
  { type, text }: Page,
  request: IncomingMessage,
  answer: Answer,
): Promise<void> {
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(answer.with({ allow: 'GET' }), 405, 'Method not allowed.');
  }
  try {
    answer.text(200, type, await text());
  } catch {
    refuse(answer, 500, 'Internal error: this page could not be created.', INTERNAL_ERROR);
  }
}
