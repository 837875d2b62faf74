/** A registry of servers: any with the v0.1 API of the MCP registry. */

import { isRecord } from '@callsign/config';
import { BodyTooLarge, HttpClient, isLoopback, readText, urlProblem } from '@callsign/outbound';
import { onOneLine } from '@callsign/terminal';

import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { Misfit, readServer, type RegistryServer } from './registry-server.js';

const OFFICIAL_REGISTRY = 'https://registry.modelcontextprotocol.io';

export interface RegistryOptions {
  /** The address before `/v0.1/servers`. Default: the official registry. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Origins in a private network that its servers may have. */
  readonly allowPrivate?: readonly string[];
  /** For all requests together. Default: 30 s. */
  readonly timeoutMs?: number;
}

export interface FoundServers {
  /** The latest version of each, best first. */
  readonly servers: readonly RegistryServer[];
  /** How many others the registry named in a way that cannot be used. */
  readonly refused: number;
}

const TIME_MS = 30_000;
const MAX_BYTES = 8 * 1024 * 1024;
const PAGE = 100;
/** For each word. Who has more results needs other words. */
const MAX_PAGES = 3;
const MAX_WORDS = 5;

export class Registry {
  /** Without a slash at its end. */
  readonly url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #allowPrivate: readonly string[];
  readonly #timeoutMs: number;

  constructor({
    url = OFFICIAL_REGISTRY,
    headers = {},
    allowPrivate = [],
    timeoutMs = TIME_MS,
  }: RegistryOptions = {}) {
    this.url = url.replace(/\/+$/, '');
    this.#headers = headers;
    this.#allowPrivate = allowPrivate;
    this.#timeoutMs = timeoutMs;
  }

  /** Asks for each word alone, because registries compare a text with names. */
  async search(words: readonly string[]): Promise<FoundServers> {
    const wanted = [...new Set(words.flatMap((word) => word.toLowerCase().split(/\s+/)))];
    const asked = wanted.filter((word) => word !== '').slice(0, MAX_WORDS);
    const found = new Map<string, RegistryServer>();
    let refused = 0;
    await this.#asking(async (get) => {
      for (const word of asked) {
        let cursor: string | undefined;
        for (let page = 0; page < MAX_PAGES; page += 1) {
          const query = new URLSearchParams({ search: word, version: 'latest', limit: `${PAGE}` });
          if (cursor !== undefined) query.set('cursor', cursor);
          const answer = await get(`/v0.1/servers?${query}`);
          for (const record of this.#listIn(answer)) {
            const server = readOrUndefined(record);
            if (server === undefined) refused += 1;
            // A registry may list all versions, the newest first.
            else if (!found.has(server.name)) found.set(server.name, server);
          }
          cursor = nextCursor(answer);
          if (cursor === undefined) break;
        }
      }
    });
    const servers = [...found.values()]
      .map((server) => ({ server, score: scoreOf(server, asked) }))
      .toSorted((a, b) => b.score - a.score)
      .map(({ server }) => server);
    return { servers, refused };
  }

  /** `version`: `latest`, or one of its versions. */
  async server(name: string, version: string): Promise<RegistryServer> {
    const path = `/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
    const answer = await this.#asking((get) => get(path));
    if (answer === undefined) {
      const which = version === 'latest' ? `server "${name}"` : `version ${version} of "${name}"`;
      const words = name.split('/').at(-1) ?? name;
      throw usageFailure(
        `The registry ${this.url} has no ${which}. To search it: callsign search --registry ${words}`,
      );
    }
    try {
      const server = readServer(answer);
      const isOther = server.name !== name || (version !== 'latest' && server.version !== version);
      if (!isOther) return server;
      throw new Misfit(`it is another one: ${server.name} ${server.version}`);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      throw this.#wrong(`what it says about "${name}" cannot be used: ${error.message}`);
    }
  }

  /** Why an address that it names may not be called. `undefined`: it may. */
  async addressProblem(address: string): Promise<string | undefined> {
    if (!URL.canParse(address)) return 'it is not an address';
    const url = new URL(address);
    if (this.#allowPrivate.includes(url.origin)) return undefined;
    // By its literal address: the owner of a name decides where it leads.
    const isPrivate = isLoopback(new URL(this.url).hostname.replace(/^\[|\]$/g, ''));
    if (url.protocol !== 'https:' && !isPrivate) return 'it is not encrypted';
    const problem = await urlProblem(url, isPrivate ? { privateAddresses: 'allowed' } : {});
    return problem?.message.replace(/^Not called: /, '').replace(/\.$/, '');
  }

  #listIn(answer: unknown): readonly unknown[] {
    const servers = isRecord(answer) ? answer['servers'] : undefined;
    if (Array.isArray(servers)) return servers as readonly unknown[];
    // Some registries leave an empty list out.
    if (isRecord(answer) && (servers === null || isRecord(answer['metadata']))) return [];
    throw this.#wrong('its answer is not a list of servers. Is it the address of a v0.1 registry?');
  }

  /** `get` returns the parsed answer; `undefined` for "not found". */
  async #asking<T>(work: (get: (path: string) => Promise<unknown>) => Promise<T>): Promise<T> {
    const { origin } = new URL(this.url);
    // Its own address may be private. Addresses that it redirects to may not.
    const client = new HttpClient({ guard: { trustedOrigins: [origin] } });
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const get = async (path: string): Promise<unknown> => {
      const { status, body } = await client.request(this.url + path, {
        signal,
        headers: { accept: 'application/json', ...this.#headers },
        redirects: 'any',
        secretHeaders: Object.keys(this.#headers),
      });
      const text = await readText(body, MAX_BYTES);
      if (status === 404) return undefined;
      if (status === 401 || status === 403) throw this.#refusedUs(status);
      if (status < 200 || status >= 300) throw this.#wrong(`it answered HTTP ${status}`);
      const answer = parsedJson(text);
      if (answer === undefined) throw this.#wrong('its answer is not JSON');
      return answer;
    };
    try {
      return await work(get);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw this.#wrong(this.#reasonOf(error));
    } finally {
      client.close();
    }
  }

  #reasonOf(error: unknown): string {
    const { name, code, message } = error as NodeJS.ErrnoException;
    if (name === 'TimeoutError') return `it took longer than ${this.#timeoutMs / 1_000} s`;
    if (error instanceof BodyTooLarge) return 'its answer is too long';
    return (code ?? message).replace(/\.$/, '');
  }

  #refusedUs(status: number): Failure {
    const message = `The registry ${this.url} wants a sign-in (HTTP ${status}). Put its token into the setting "registry.headers".`;
    return new Failure({ exit: EXIT.authentication, code: 'authentication', message });
  }

  #wrong(reason: string): Failure {
    const message = `The registry ${this.url} cannot be used: ${onOneLine(reason)}.`.replace(
      /([.?])\.$/,
      '$1',
    );
    return new Failure({ exit: EXIT.unreachable, code: 'registry', message });
  }
}

function readOrUndefined(record: unknown): RegistryServer | undefined {
  try {
    return readServer(record);
  } catch (error) {
    if (error instanceof Misfit) return undefined;
    throw error;
  }
}

function nextCursor(answer: unknown): string | undefined {
  const metadata = isRecord(answer) ? answer['metadata'] : undefined;
  const cursor = isRecord(metadata) ? metadata['nextCursor'] : undefined;
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

function scoreOf({ name, title, description }: RegistryServer, words: readonly string[]): number {
  const [own, about] = [name.toLowerCase(), `${title} ${description}`.toLowerCase()];
  return words.reduce(
    (sum, word) => sum + (own.includes(word) ? 2 : 0) + (about.includes(word) ? 1 : 0),
    0,
  );
}

/** `undefined`: it is not JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
