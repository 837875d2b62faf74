/** What the address of a gateway without a path shows, to people who open it in a browser. */

import type { IncomingMessage, ServerResponse } from 'node:http';

export interface RootPageOptions {
  /** The origin that people know. `undefined`: only the paths are shown. */
  readonly origin: string | undefined;
  readonly hasConsole: boolean;
}

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

/** Names the address for MCP clients, and that of the console. */
export function showRoot(
  request: IncomingMessage,
  response: ServerResponse,
  { origin = '', hasConsole }: RootPageOptions,
): void {
  request.resume();
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const lines = isRead
    ? [
        'This is Callsign, a gateway for MCP.',
        '',
        `MCP clients connect to: ${origin}/mcp`,
        ...(hasConsole ? [`The console for people: ${origin}/console/`] : []),
      ]
    : ['There is nothing at /. The MCP endpoint is /mcp.'];
  const text = `${lines.join('\n')}\n`;
  response.writeHead(isRead ? 200 : 404, { ...HEADERS, 'content-length': text.length });
  response.end(request.method === 'HEAD' ? undefined : text);
}
