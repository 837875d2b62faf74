/**
 * The proxy through which a sandboxed server reaches the hosts of its list: HTTP and CONNECT, by name. It listens on a
 * socket file, so that only the sandbox into which the file is mounted can use it.
 */

import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTo, isIP, type LookupFunction, type Socket } from 'node:net';

import { checkedLookup, literalProblem, type AddressGuard } from '@callsign/outbound';

/** A host with a port, as the server asks for it. */
export interface WantedHost {
  readonly host: string;
  readonly port: number;
}

export interface HostProxyOptions {
  /** The socket file. */
  readonly path: string;
  readonly hosts: readonly string[];
  /** Asks whether a host that is not in the list is allowed. Default: it is not. */
  readonly allows?: ((wanted: WantedHost) => boolean) | undefined;
  /** Rules for the addresses of names. */
  readonly guard?: AddressGuard;
  readonly onRefused: (wanted: WantedHost, reason: string) => void;
}

/** Closes the proxy and its connections. */
export type CloseProxy = () => void;

export function openHostProxy(options: HostProxyOptions): CloseProxy {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
  };
  const server = createServer((request, response) => passOn(request, response, options));
  server.on('connection', keep);
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const wanted = wantedIn(request.url ?? '');
    const problem = wanted ? problemOf(wanted, options) : 'the address is not host:port';
    if (!wanted || problem !== undefined) return refuse(socket, problem!);
    const far = keep(connectTo({ ...wanted, lookup: lookupFor(wanted, options) }));
    far.once('error', (error) => {
      if (!socket.destroyed) refuse(socket, reasonOf(error, wanted, options), '502');
    });
    far.once('connect', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      if (head.length > 0) far.write(head);
      far.pipe(socket).pipe(far);
    });
    socket.once('close', () => far.destroy());
    far.once('close', () => socket.destroy());
  });
  server.on('clientError', (_, socket) => socket.destroy());
  server.on('error', () => undefined);
  server.listen(options.path);
  server.unref();
  return () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}

/** Some programs send a whole address to the proxy, even an `https` one. */
function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  options: HostProxyOptions,
): void {
  const url = URL.canParse(request.url ?? '') ? new URL(request.url!) : undefined;
  const isSafe = url?.protocol === 'https:';
  if (!url || (!isSafe && url.protocol !== 'http:')) {
    response.writeHead(400).end('A proxy needs a whole address.\n');
    return;
  }
  const wanted = { host: bare(url.hostname), port: Number(url.port || (isSafe ? 443 : 80)) };
  const problem = problemOf(wanted, options);
  if (problem !== undefined) {
    response.writeHead(403, problem.replaceAll(/[^ -~]/g, '?')).end(`${problem}\n`);
    return;
  }
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = request.headers;
  const far = (isSafe ? httpsRequest : httpRequest)({
    ...wanted,
    method: request.method ?? 'GET',
    path: `${url.pathname}${url.search}`,
    headers,
    lookup: lookupFor(wanted, options),
  });
  far.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  far.once('error', (error) => {
    const reason = reasonOf(error, wanted, options);
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end(`${reason}\n`);
  });
  request.pipe(far);
  response.once('close', () => far.destroy());
}

/** Why a host may not be reached. Says it to the operator, too. */
function problemOf(wanted: WantedHost, options: HostProxyOptions): string | undefined {
  const { hosts, allows, onRefused } = options;
  if (!hosts.some((pattern) => matches(pattern, wanted)) && allows?.(wanted) !== true) {
    const reason = `the sandbox refuses ${spelled(wanted)}`;
    onRefused(wanted, reason);
    return reason;
  }
  // The operator wrote this very address.
  const problem = isIP(wanted.host) === 0 ? undefined : literalProblem(wanted.host);
  if (problem !== undefined) onRefused(wanted, problem);
  return problem;
}

function reasonOf(error: Error, wanted: WantedHost, { onRefused }: HostProxyOptions): string {
  if (error.name === 'AddressRefused') onRefused(wanted, error.message);
  return error.message.replaceAll(/[^ -~]/g, '?');
}

/** `localhost` in the list means this machine. Every other name must have public addresses only. */
function lookupFor({ host }: WantedHost, { guard = {} }: HostProxyOptions): LookupFunction {
  const isHere = host.toLowerCase() === 'localhost';
  return checkedLookup(isHere ? { ...guard, privateAddresses: 'allowed' } : guard);
}

/** `*.example.com:443` matches every name below `example.com`. */
export function matches(pattern: string, { host, port }: WantedHost): boolean {
  const wanted = wantedIn(pattern);
  if (!wanted || wanted.port !== port) return false;
  const name = host.toLowerCase().replace(/\.$/, '');
  const allowed = wanted.host.toLowerCase();
  return allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed;
}

/** `undefined`: it is not `host:port`. */
export function wantedIn(text: string): WantedHost | undefined {
  const [, host, port] = /^(\[[^\]]+\]|[^:[\]/@\s]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host: bare(host), port: Number(port) };
}

export function spelled({ host, port }: WantedHost): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function refuse(socket: Socket, reason: string, code = '403'): void {
  socket.end(`HTTP/1.1 ${code} ${reason.replaceAll(/[^ -~]/g, '?')}\r\nConnection: close\r\n\r\n`);
}
