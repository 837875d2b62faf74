/** A server over HTTP that answers calls badly on purpose. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';

import { onTestFinished } from 'vitest';

const MEGABYTE = 'x'.repeat(1024 * 1024);
const EVENTS = { 'content-type': 'text/event-stream' };

/** `isFirst`: nothing was answered on this connection before. */
type Answer = (response: ServerResponse, id: number, isFirst: boolean) => void;

/** How a call of a tool is answered, by the tool's name. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  echo: (response, id) => sendJson(response, { jsonrpc: '2.0', id, result: said('hello') }),
  long_json: (response, id) => {
    sendJson(response, { jsonrpc: '2.0', id, result: said(MEGABYTE.repeat(11)) });
  },
  long_event: (response, id) => {
    const message = { jsonrpc: '2.0', id, result: said(MEGABYTE.repeat(11)) };
    response.writeHead(200, EVENTS).end(`data: ${JSON.stringify(message)}\n\n`);
  },
  /** Endless comments, and no answer. */
  endless: (response) => {
    response.writeHead(200, EVENTS);
    const more = (): void => {
      while (!response.destroyed && response.write(`: ${MEGABYTE.slice(0, 65_536)}\n`));
    };
    response.on('drain', more);
    more();
  },
  /** A gigabyte that is a megabyte on the wire. */
  bomb: (response, id) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    const zip = createGzip();
    zip.pipe(response);
    zip.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    let left = 1_024;
    const more = (): void => {
      while (left-- > 0 && !response.destroyed) if (!zip.write(MEGABYTE)) return;
      zip.end('"}]}}');
    };
    zip.on('drain', more);
    more();
  },
  /** Reads the call, and closes the connection. */
  dropped: (response) => void response.destroy(),
  /** Sends a part of the answer, and closes the connection. */
  broken: (response, id) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`{"jsonrpc":"2.0","id":${id},"res`, () => response.destroy());
  },
  /** Closes a connection that was used before, as if the call had come too late. */
  fresh_only: (response, id, isFirst) => {
    if (isFirst) sendJson(response, { jsonrpc: '2.0', id, result: said('read') });
    else response.destroy();
  },
  fresh_only_change: (response, id, isFirst) => {
    if (isFirst) sendJson(response, { jsonrpc: '2.0', id, result: said('changed') });
    else response.destroy();
  },
  /** Sends the headers, and then nothing. */
  silent: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  },
};

const CHANGES: ReadonlySet<string> = new Set(['fresh_only_change']);
/** Connections that have had a request. */
const used = new WeakSet<object>();

/** Resolves with the address of the server, which ends with the test. */
export async function startRemote(): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => undefined);
  const isFirst = !used.has(request.socket);
  used.add(request.socket);
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let body = '';
  for await (const text of request.setEncoding('utf8')) body += text;
  const { id, method, params } = JSON.parse(body);
  if (id === undefined) return void response.writeHead(202).end();
  if (method === 'tools/call') return ANSWERS[params.name]!(response, id, isFirst);
  if (method === 'tools/list') {
    const tools = Object.keys(ANSWERS).map((name) => {
      const annotations = { readOnlyHint: !CHANGES.has(name) };
      return { name, inputSchema: { type: 'object' }, annotations };
    });
    return sendJson(response, { jsonrpc: '2.0', id, result: { tools } });
  }
  if (method !== 'initialize') {
    const error = { code: -32601, message: 'Method not found' };
    return sendJson(response, { jsonrpc: '2.0', id, error });
  }
  const result = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'remote', version: '1' },
  };
  sendJson(response, { jsonrpc: '2.0', id, result });
}

function sendJson(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}

function said(text: string): object {
  return { content: [{ type: 'text', text }] };
}
