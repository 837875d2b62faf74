/** Single requests of a session over HTTP, each as the test writes it. */

/** Opens a session and returns its id. */
export async function openSession(url: string, protocolVersion = '2025-11-25'): Promise<string> {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const reply = await post(url, hello);
  await reply.text();
  return reply.headers.get('mcp-session-id')!;
}

export function post(
  url: string,
  body: string,
  session?: string,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: headersOf(session),
    body,
    ...(signal ? { signal } : {}),
  });
}

export function headersOf(session?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  };
}

export function callText(id: number, name: string, args: object = {}): string {
  const params = { name, arguments: args };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}
