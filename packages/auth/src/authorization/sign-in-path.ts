/** The paths of the authorization server. They are known before its code is loaded. */

import type { IncomingMessage, ServerResponse } from 'node:http';

export const SIGN_IN_PATHS = [
  '/.well-known/oauth-authorization-server',
  '/authorize',
  '/authorize/key',
  '/authorize/provider',
  '/authorize/callback',
  '/authorize/consent',
  '/token',
  '/revoke',
  '/register',
] as const;
export type SignInPath = (typeof SIGN_IN_PATHS)[number];

/** Answers all requests for a path. */
export type Site = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
