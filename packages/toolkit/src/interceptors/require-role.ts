/** Lets a tool run only for an authenticated caller with the role. Unlike hints, this is access control. */

import type { AuthInfo } from '@modelcontextprotocol/server';

import type { ToolInterceptor } from './tool-interceptor.js';
import { refused } from '../server/outcome.js';

/** `rolesOf` reads the caller's roles. Default: the token's scopes. */
export function requireRole(
  role: string,
  rolesOf: (auth: AuthInfo) => readonly string[] = ({ scopes }) => scopes,
): ToolInterceptor {
  return function checkRole({ tool, context: { auth } }, next) {
    if (auth === undefined) {
      return refused(`${tool.name} needs an authenticated session. Sign in and call it again.`);
    }
    if (!rolesOf(auth).includes(role)) {
      return refused(`${tool.name} needs the role "${role}", which this session does not have.`);
    }
    return next();
  };
}
