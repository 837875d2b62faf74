/** Who may come in over HTTP: only requests that are really meant for this address, from pages we know. */

import type { IncomingMessage } from 'node:http';

export interface GuardOptions {
  /** Host names by which we may be called, besides the loopback ones. */
  readonly allowedHosts?: readonly string[];
  /** Origins of pages that may call us, besides those served from the loopback. */
  readonly allowedOrigins?: readonly string[];
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The reason for which a request is refused. A page on the web can make a browser call us under a name
 * of its own that leads to the loopback; the `Host` and `Origin` headers give it away.
 */
export function refusal(request: IncomingMessage, options: GuardOptions): string | undefined {
  const { host, origin } = request.headers;
  const name = hostName(host);
  if (name === undefined || !(LOOPBACK.has(name) || options.allowedHosts?.includes(name))) {
    return `Invalid Host: ${host ?? '(none)'}`;
  }
  if (origin === undefined || options.allowedOrigins?.includes(origin)) return undefined;
  const from = originHost(origin);
  return from !== undefined && LOOPBACK.has(from) ? undefined : `Invalid Origin: ${origin}`;
}

/** The host without its port, in lower case. */
function hostName(host: string | undefined): string | undefined {
  return host === undefined
    ? undefined
    : /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(host)?.[1]?.toLowerCase();
}

function originHost(origin: string): string | undefined {
  try {
    return new URL(origin).hostname.toLowerCase();
  } catch {
    return undefined;
  }
}
