/** The admin listener: HTTP on a socket that only the user can open. */

import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { resolve } from 'node:path';

import { adminAddress, adminAddresses, prepareSocketFolder } from './admin-address.js';
import { AdminError, type AdminRouter } from './admin-router.js';
import { stateFolder } from '@callsign/config';

/** The identity of a gateway. */
export interface GatewayIdentity {
  readonly pid: number;
  /** Its configuration file. */
  readonly config: string;
  readonly version: string;
  /** The address of its HTTP listener, if it has one. */
  readonly url?: string;
  /** When it started, as ISO text. */
  readonly startedAt?: string;
  /** It runs for one command only and serves no client. */
  readonly isBrief?: boolean;
}

export interface AdminServerOptions {
  readonly identity: GatewayIdentity;
  readonly router: AdminRouter;
  /** The folder for the user's state. */
  readonly state?: string;
}

/** Arguments of a call may be long. */
const MAX_BODY = 4 * 1024 * 1024;

export class AdminServer {
  readonly #state: string;
  readonly #server: Server;
  readonly #pid: number;

  constructor({ identity, router, state = stateFolder() }: AdminServerOptions) {
    this.#state = state;
    this.#pid = identity.pid;
    // The client may run in another folder.
    const about = { ...identity, config: resolve(identity.config) };
    router.on('GET', '/', () => about);
    this.#server = createServer((request, response) => void answer(request, response, router));
  }

  /** Opens the listener and removes those of gateways that have ended. Returns its address. */
  async open(): Promise<string> {
    const address = adminAddress(this.#state, this.#pid);
    await prepareSocketFolder(this.#state);
    await removeStale(this.#state);
    // The process that had our id before has ended.
    await remove(address);
    await new Promise<void>((opened, failed) => {
      this.#server.once('error', failed);
      this.#server.listen(address, opened);
    });
    // A failed connection, such as for lack of file descriptors, affects only its client.
    this.#server.on('error', () => undefined);
    if (process.platform !== 'win32') await chmod(address, 0o600);
    // This listener does not keep the gateway running.
    this.#server.unref();
    return address;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((done) => this.#server.close(done));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function removeStale(state: string): Promise<void> {
  const addresses = await adminAddresses(state);
  await Promise.all(
    addresses.map(async (address) => {
      if (await isStale(address)) await remove(address);
    }),
  );
}

/** Whether no process listens there. A process that is too busy to answer still counts. */
function isStale(address: string): Promise<boolean> {
  return new Promise((tell) => {
    const probe = connect(address);
    const settle = (stale: boolean): void => {
      probe.destroy();
      tell(stale);
    };
    probe.once('connect', () => settle(false));
    probe.once('error', (error: NodeJS.ErrnoException) => settle(error.code === 'ECONNREFUSED'));
  });
}

async function remove(address: string): Promise<void> {
  if (process.platform !== 'win32') await rm(address, { force: true });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  router: AdminRouter,
): Promise<void> {
  try {
    const body = await bodyOf(request);
    const { status, body: json } = await router.answer(request.method!, request.url!, body);
    if (json instanceof ReadableStream) await sendEvents(response, json);
    else send(response, status, json);
  } catch (error) {
    const status = error instanceof AdminError ? error.status : 400;
    send(response, status, { error: (error as Error).message });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(body ?? null));
}

/** One line of JSON for each event. The stream is cancelled if the client disconnects. */
async function sendEvents(response: ServerResponse, events: ReadableStream): Promise<void> {
  const reader = events.getReader();
  response.on('close', () => void reader.cancel().catch(() => undefined));
  response.writeHead(200, { 'content-type': 'application/x-ndjson', connection: 'close' });
  response.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    response.write(`${JSON.stringify(value)}\n`);
  }
  response.end();
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) throw new AdminError(413, `A request has at most ${MAX_BODY} bytes.`);
    chunks.push(chunk);
  }
  if (length === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new AdminError(400, 'The request is not JSON.');
  }
}
