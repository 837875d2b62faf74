/** The paths of the authorization server. They are known before its code is loaded. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where people link and remove their own accounts at servers. */
export const ACCOUNT_PATHS = [
  '/accounts',
  '/accounts/link',
  '/accounts/callback',
  '/accounts/values',
  '/accounts/remove',
  '/accounts/sign-out',
  '/accounts/client.json',
] as const;

export const SIGN_IN_PATHS = [
  '/.well-known/oauth-authorization-server',
  '/authorize',
  '/authorize/key',
  '/authorize/name',
  '/authorize/wait',
  '/authorize/provider',
  '/authorize/callback',
  '/authorize/consent',
  '/token',
  '/revoke',
  '/register',
  ...ACCOUNT_PATHS,
] as const;
export type SignInPath = (typeof SIGN_IN_PATHS)[number];

/** Answers all requests for a path. */
export type Site = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
