/** Checks `Host` and `Origin`: only requests for this address and from known pages are served. */

import type { IncomingMessage } from 'node:http';

import { isLoopback } from '@callsign/outbound';

/** Hosts are compared without the port, origins with it. */
export interface OriginCheckOptions {
  /** Our host names, besides the loopback ones. */
  readonly allowedHosts?: readonly string[];
  /** Origins of pages that may call us, besides our own. */
  readonly allowedOrigins?: readonly string[];
  /** Skips the check of the host. Only for a listener that no browser can reach. */
  readonly acceptsAnyHost?: boolean;
}

type Shown = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/** Protects against web pages in the user's browser. It is not authentication. */
export class OriginCheck {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #acceptsAnyHost: boolean;
  /** The last accepted host: most requests have the same one. */
  #knownHost: string | undefined;

  constructor({ allowedHosts, allowedOrigins, acceptsAnyHost }: OriginCheckOptions) {
    this.#hosts = lowerCase(allowedHosts);
    this.#origins = lowerCase(allowedOrigins);
    this.#acceptsAnyHost = acceptsAnyHost === true;
  }

  /**
   * Why a request is refused; `undefined` if it is not. A web page can make a browser call us under
   * a name that resolves to the loopback address (DNS rebinding). The headers reveal that.
   */
  refusal({ headers, rawHeaders }: Shown): string | undefined {
    const { host, origin } = headers;
    if (hostsIn(rawHeaders) > 1) return 'Invalid Host: there are several';
    if (!this.#acceptsAnyHost && !this.#isOurs(host)) return `Invalid Host: ${host ?? '(none)'}`;
    if (origin === undefined || this.#origins.has(origin.toLowerCase())) return undefined;
    return isOwnOrigin(origin, host!) ? undefined : `Invalid Origin: ${origin}`;
  }

  #isOurs(host: string | undefined): boolean {
    if (host === undefined) return false;
    if (host === this.#knownHost) return true;
    const name = hostName(host);
    if (name === undefined) return false;
    if (!isLoopback(name) && !this.#hosts.has(name)) return false;
    this.#knownHost = host;
    return true;
  }
}

/** Node keeps the first host. A proxy in front of us may have used another one. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

function lowerCase(texts: readonly string[] = []): ReadonlySet<string> {
  return new Set(texts.map((text) => text.toLowerCase()));
}

/** The host without its port, in lower case. */
function hostName(host: string): string | undefined {
  return /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(host)?.[1]?.toLowerCase();
}

/**
 * Whether a page came from exactly this address, port included. Pages from other ports of this
 * machine are not ours. A proxy in front of us may have added TLS.
 */
function isOwnOrigin(origin: string, host: string): boolean {
  const own = host.toLowerCase();
  return ['http', 'https'].some((scheme) => {
    const url = `${scheme}://${own}`;
    return URL.canParse(url) && origin.toLowerCase() === new URL(url).origin;
  });
}
