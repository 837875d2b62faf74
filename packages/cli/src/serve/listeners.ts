/** The listener of a served gateway: standard input and output, or an HTTP endpoint. */

import { setTimeout as sleep } from 'node:timers/promises';

import { drained, type Gateway } from '@callsign/gateway/host';
import { gatewayConsole, type AdminRouter, type ConnectedClient } from '@callsign/gateway/admin';
import { isLoopback } from '@callsign/outbound';
import {
  PendingCalls,
  HttpListener,
  openStdioListener,
  type Session,
  type StdioListener,
  type ServedSource,
} from '@callsign/wire';

import type { Shell } from '../command/shell.js';
import type { Stderr } from '../command/stderr.js';
import { consoleFolder } from '../console/console-folder.js';
import { answerLoose } from '../fleet/loose-question.js';
import { showRoot } from './root-page.js';

/** What `serve` needs from either transport. `drain` comes before `close`. */
export interface Listener {
  /** Resolves when the only client has disconnected. Never over HTTP. */
  readonly closed: Promise<void>;
  /** Resolves when the only client has sent its first message. Missing over HTTP. */
  readonly heard?: Promise<void>;
  /** The address for clients, over HTTP. */
  readonly url?: string;
  /** Clients with a session. */
  clients(): ConnectedClient[];
  /** Stops taking new sessions. Resolves when running calls are answered, or at the limit. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** What an HTTP listener serves besides MCP. */
export interface HttpSurroundings {
  readonly health: () => object;
  readonly router: AdminRouter;
  readonly stderr: Stderr;
}

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
}

/** Serves the one client on standard input and output. */
export function openStdio(gateway: Gateway, shell: Shell, stderr: Stderr): Listener {
  const { maxMessageBytes } = gateway.config.settings.limits;
  const { session, ...listener } = serveStdio(gateway.served(), maxMessageBytes, shell, stderr);
  gateway.onlyClient = () => (session.version === undefined ? undefined : session.capabilities);
  gateway.answerLoose = (question, server) => answerLoose([session], question, server);
  return listener;
}

/** Serves on our own standard input and output. */
export function serveStdio(
  served: ServedSource,
  maxMessageBytes: number,
  shell: Shell,
  stderr: Stderr,
): Listener & Pick<StdioListener, 'session'> {
  const { session, heard, closed } = openStdioListener({
    served,
    pending: new PendingCalls(),
    input: shell.stdin,
    output: shell.stdout,
    maxMessageBytes,
  });
  if (shell.isTyped) {
    const hint = 'Waiting for an MCP client on standard input; --http PORT serves over HTTP.';
    stderr.announce(hint, { serving: 'stdio' });
  }
  return {
    session,
    heard,
    closed,
    clients: () => clientsOf([session]),
    drain: async () => undefined,
    async close() {
      // An open input would keep the process alive.
      shell.stdin.destroy();
    },
  };
}

/** Rejects with a sentence for people if the address cannot be used. */
export async function openHttp(
  gateway: Gateway,
  { host, port }: HttpAddress,
  { health, router, stderr }: HttpSurroundings,
): Promise<Listener> {
  const opened: { url?: string } = {};
  const origin = () => opened.url && new URL(opened.url).origin;
  const site = gatewayConsole({ gateway, router, folder: consoleFolder(), host, origin });
  const { allowedHosts, allowedOrigins, maxBodyBytes, connections } = gateway.config.settings.http;
  const { instance, auth } = gateway;
  // Forms of the sign-in pages come from the origin that people know, perhaps through a proxy.
  const own = auth.origin === undefined ? undefined : new URL(auth.origin);
  const root: ReturnType<typeof site.siteAt> = (request, response) => {
    const at = auth.origin ?? (isLoopback(host) ? origin() : undefined);
    showRoot(request, response, { origin: at, hasConsole: site.siteAt('/console') !== undefined });
  };
  const listener = new HttpListener({
    host,
    port,
    served: gateway.served(),
    pending: new PendingCalls({ routing: instance?.routing }),
    // The operator chose this address, so clients may use it.
    allowedHosts: [...allowedHosts, inUrl(host), ...(own ? [own.hostname] : [])],
    allowedOrigins: [...allowedOrigins, ...(own ? [own.origin] : [])],
    maxBodyBytes,
    connections,
    warn: (message) => stderr.log('warning', message),
    viewOf: (profile, principal) => gateway.viewOf(profile, principal),
    servedSet: (name) => gateway.servedSet(name),
    authenticate: auth.authenticate,
    callers: auth,
    pageAt: (path) => gateway.pageAt(path),
    siteAt: (path) => auth.siteAt(path) ?? site.siteAt(path) ?? (path === '/' ? root : undefined),
    notReady: () => gateway.notReady(),
    // Where callers must authenticate, the health page shows nothing but that we run.
    health: () => (auth.isRequired ? { status: 'ok' } : health()),
  });
  gateway.answerLoose = (question, server) => answerLoose(listener.sessions(), question, server);
  gateway.connections = () => listener.status;
  instance?.serve(listener);
  const url = await announceHttp(listener, { host, port }, stderr);
  opened.url = url;
  if (!isLoopback(host) && !auth.isRequired) stderr.log('warning', openWarning(host));
  return {
    closed: new Promise(() => undefined),
    url,
    clients: () => clientsOf(listener.sessions()),
    drain: () => drain(gateway, listener, stderr),
    close: () => listener.close(),
  };
}

/** Load balancers check readiness every second or two. Until then they still send requests. */
const NOTICE_MS = 3_000;

async function drain(gateway: Gateway, listener: HttpListener, { log }: Stderr): Promise<void> {
  const { instance, config } = gateway;
  listener.drain();
  if (instance) {
    await instance.drain();
    await sleep(NOTICE_MS);
    await gateway.handOver(config.settings.http.drainMs);
  }
  listener.retire();
  const work = {
    get callsUnderWay() {
      return listener.callsUnderWay + (instance?.callsUnderWay ?? 0);
    },
  };
  const onLate = (calls: string): void =>
    log('warning', `${calls} did not finish in time; the gateway stops anyway.`);
  await drained(work, { limitMs: config.settings.http.drainMs, onLate });
}

/** Those that have completed the handshake. */
export function clientsOf(sessions: readonly Session[]): ConnectedClient[] {
  return sessions
    .filter(({ version }) => version !== undefined)
    .map(({ client: { name, version } }) => ({ name, version }));
}

/** Opens a listener, prints its address and returns it. Rejects with a sentence for people. */
export async function announceHttp(
  listener: HttpListener,
  { host, port }: HttpAddress,
  stderr: Stderr,
): Promise<string> {
  const opened = await listener.listen().catch((error: NodeJS.ErrnoException) => {
    throw new Error(whyNot(error, { host, port }), { cause: error });
  });
  const url = `http://${inUrl(host)}:${opened}/mcp`;
  stderr.announce(`Callsign listens on ${url}`, { listening: url });
  return url;
}

function whyNot({ code, message }: NodeJS.ErrnoException, { host, port }: HttpAddress): string {
  switch (code) {
    case 'EADDRINUSE':
      return (
        `Port ${port} of ${host} is in use, perhaps by another Callsign. ` +
        'Choose another with --http PORT; --http 0 uses any free port.'
      );
    case 'EACCES':
      return `Port ${port} of ${host} is not open to this user. Choose one above 1023 with --http PORT.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine. Leave it out to listen on 127.0.0.1.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${message}`;
  }
}

function openWarning(host: string): string {
  const warning =
    'Other machines can reach this address, and all of them can call every tool. ' +
    'To require a key: callsign key add NAME.';
  if (host !== '0.0.0.0' && host !== '::') return warning;
  return `${warning} To let clients use a host name, add it to callsign.http.allowedHosts.`;
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
