/** Asks a server for all its tools, as a client would, and keeps the answer unchanged. */

import type { Channel, Message } from './channel.js';

/** Limits the pages of an endless list. */
const MAX_PAGES = 1000;

const METHOD_NOT_FOUND = -32_601;

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'callsign-toolkit', version: '0.1.0' },
};

/** Does not use a client of the SDK, because that drops unknown fields, which a linter needs. */
export async function listTools(channel: Channel): Promise<unknown[]> {
  const request = requester(channel);
  await request('initialize', INITIALIZE);
  await channel.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return allPages((cursor) => request('tools/list', cursor === undefined ? {} : { cursor }));
}

/** Follows `nextCursor` to the end. */
export async function allPages(
  page: (cursor: string | undefined) => Promise<unknown>,
): Promise<unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let read = 0; read < MAX_PAGES; read += 1) {
    const answer = (await page(cursor)) as { tools?: unknown; nextCursor?: unknown } | undefined;
    if (!Array.isArray(answer?.tools)) {
      throw new Error('The server answered tools/list without a list of tools.');
    }
    tools.push(...(answer.tools as unknown[]));
    if (typeof answer.nextCursor !== 'string' || answer.nextCursor === cursor) return tools;
    cursor = answer.nextCursor;
  }
  throw new Error(`The server's list of tools does not end: ${MAX_PAGES} pages were read.`);
}

/**
 * Sends one request at a time. After the channel has closed, every request fails with the reason.
 */
function requester(channel: Channel): (method: string, params: object) => Promise<unknown> {
  let id = 0;
  let end: Error | undefined;
  let settle: ((message: Message | Error) => void) | undefined;
  channel.listen(
    (message) => {
      if (message.method !== undefined) decline(channel, message);
      else if (message.id === id) settle?.(message);
    },
    (reason) => {
      end ??= reason;
      settle?.(end);
    },
  );
  return (method, params) =>
    new Promise((resolve, reject) => {
      settle = (answer) => {
        if (answer instanceof Error) reject(answer);
        else if (answer.error === undefined) resolve(answer.result);
        else reject(new Error(`The server refused ${method}: ${JSON.stringify(answer.error)}`));
      };
      if (end !== undefined) return settle(end);
      id += 1;
      Promise.resolve(channel.send({ jsonrpc: '2.0', id, method, params })).catch(reject);
    });
}

/** A server may ask something in between. It gets an error, so that it does not wait. */
function decline(channel: Channel, { id, method }: Message): void {
  if (id === undefined || id === null) return;
  const answer =
    method === 'ping'
      ? { result: {} }
      : { error: { code: METHOD_NOT_FOUND, message: 'Only tools are listed here.' } };
  void channel.send({ jsonrpc: '2.0', id, ...answer });
}
