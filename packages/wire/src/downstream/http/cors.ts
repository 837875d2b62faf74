/** Headers for web pages. The origin was checked before. */

import type { RequestHead } from '../../rpc/http-server/quick-request.js';

export const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': '*, authorization',
  'access-control-max-age': '600',
};

/** Lets a page with an allowed origin read the response. */
export function corsHeaders({
  headers: { origin },
}: RequestHead): Record<string, string> | undefined {
  if (origin === undefined) return undefined;
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, www-authenticate',
    vary: 'origin',
  };
}
