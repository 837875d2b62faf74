/**
 * Answers a request of the admin API over HTTP: JSON in; JSON, a file or a stream of events out.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';

import type { AdminCaller } from './admin-caller.js';
import { AdminError } from './admin-error.js';
import type { AdminRouter } from './admin-router.js';
import { TextDownload } from './text-download.js';

/** The limit on a request. It is high because arguments of a call may be long. */
const MAX_BODY = 4 * 1024 * 1024;
/** A client with this much unread data is disconnected. It can connect again. */
const MAX_BACKLOG = 16 * 1024 * 1024;
const COMMON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Serves a request. The credential of the caller was checked before. */
export async function serveAdmin(
  router: AdminRouter,
  request: IncomingMessage,
  response: ServerResponse,
  caller: AdminCaller,
): Promise<void> {
  const [method, target] = [request.method!, request.url!];
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const body = await readJsonBody(request);
    const answer = await router.answer(method, target, body, { caller, signal: gone.signal });
    if (answer.body instanceof ReadableStream) await sendEvents(response, answer.body);
    else if (answer.body instanceof TextDownload) await sendText(response, answer.body);
    else if (isLong(answer.body)) await sendList(response, answer.body);
    else sendJson(response, answer.status, answer.body);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const status = error instanceof AdminError ? error.status : 400;
    sendJson(response, status, { error: (error as Error).message });
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  const headers = { ...COMMON_HEADERS, 'content-type': 'application/json', connection: 'close' };
  const json = JSON.stringify(body ?? null);
  response.writeHead(status, headers);
  response.end(json);
}

/** Elements of a list that become JSON in one turn of the event loop. */
const AT_ONCE = 250;

function isLong(body: unknown): body is readonly unknown[] {
  return Array.isArray(body) && body.length > AT_ONCE;
}

/** Works in several turns of the event loop, so that calls do not wait for it. */
async function sendList(response: ServerResponse, list: readonly unknown[]): Promise<void> {
  response.writeHead(200, {
    ...COMMON_HEADERS,
    'content-type': 'application/json',
    connection: 'close',
  });
  await pipeline(Readable.from(jsonParts(list)), response).catch(() => response.destroy());
}

async function* jsonParts(list: readonly unknown[]): AsyncGenerator<string, void> {
  for (let at = 0; at < list.length; at += AT_ONCE) {
    const json = JSON.stringify(list.slice(at, at + AT_ONCE));
    yield (at === 0 ? '[' : ',') + json.slice(1, -1);
    await setImmediate();
  }
  yield ']';
}

/** The body as JSON; `undefined` if it is empty. Throws an `AdminError` if it is too long or not JSON. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY)
      throw new AdminError(413, `A request may have at most ${MAX_BODY} bytes.`);
    chunks.push(chunk);
  }
  if (length === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new AdminError(400, 'The request is not JSON.');
  }
}

/**
 * Sends parts as fast as the client reads. A failure breaks the connection, so the file is seen as
 * incomplete.
 */
async function sendText(
  response: ServerResponse,
  { name, type, parts }: TextDownload,
): Promise<void> {
  const disposition = { 'content-disposition': `attachment; filename="${name}"` };
  response.writeHead(200, { ...COMMON_HEADERS, ...disposition, 'content-type': type });
  await pipeline(Readable.from(parts), response).catch(() => response.destroy());
}

/** One line of JSON for each event. The stream is cancelled if the client disconnects. */
async function sendEvents(response: ServerResponse, events: ReadableStream): Promise<void> {
  const reader = events.getReader();
  if (response.destroyed) return reader.cancel();
  response.on('close', () => void reader.cancel().catch(() => undefined));
  const headers = { ...COMMON_HEADERS, 'content-type': 'application/x-ndjson' };
  response.writeHead(200, { ...headers, 'x-accel-buffering': 'no', connection: 'close' });
  response.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    response.write(`${JSON.stringify(value)}\n`);
    if (response.writableLength > MAX_BACKLOG) response.destroy();
  }
  response.end();
}
