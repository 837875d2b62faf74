/**
 * Runs operations over HTTP: sends requests, repeats them if that is safe, reads answers within
 * limits.
 */

import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  HttpClient,
  isLoopback,
  readBytes,
  textOf,
  withoutSecrets,
  type Lookup,
} from '@callsign/outbound';

import type { Adapter, Operation } from '../adapter/adapter.js';
import type { Auth, HttpTarget } from '../adapter/adapter-document.js';
import { schemesOf } from '../adapter/auth-schemes.js';
import { isAccepted, type TrustLevel } from '../adapter/trust.js';
import { BinaryAnswer } from '../protocol/binary-answer.js';
import { parseExact } from '../protocol/exact-json.js';
import { LIMITS } from '../protocol/limits.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { Params } from '../protocol/validate.js';
import { createCredentials, type Credentials } from './credentials.js';
import type { Executed, Execution, OwnedExecutor } from '../protocol/executor.js';
import { answerFailure, type HttpAnswer, sendFailure, waitOf } from './http-failure.js';
import { buildRequest, type HttpRequest, setQuery } from './http-request.js';
import { plainText } from './param-text.js';
import { MAX_DOWNLOAD, saveFile } from './saved-file.js';

export interface HttpExecutorOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly baseUrl?: string;
  /** The folder for binary answers. Default: that of the adapter. */
  readonly downloads?: string;
  readonly lookup?: Lookup;
}

type HttpAdapter = Pick<Adapter, 'auth' | 'headers' | 'trust' | 'file' | 'operations'> & {
  readonly target: HttpTarget;
};

/** Statuses after which the same request may succeed. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** What a cookie cannot contain. The rest is sent as it is: not every target decodes it. */
const NOT_IN_COOKIE = /[^\u0021\u0023-\u002b\u002d-\u003a\u003c-\u005b\u005d-\u007e]/gu;
const PREVIEW = 200;

export function createHttpExecutor(
  { target, auth: written, headers: fixed, trust, file: adapterFile, operations }: HttpAdapter,
  { env, baseUrl: given, downloads, lookup }: HttpExecutorOptions,
): OwnedExecutor {
  // An unreviewed document decides where requests go, so no credential is sent before a review.
  const isWithheld = !isAccepted(trust) && written.type !== 'none';
  const auth: Auth = isWithheld ? { type: 'none' } : written;
  const schemes = schemesOf(auth);
  const tokenUrls = schemes.flatMap((each) => (each.type === 'oauth2' ? each.token_url : []));
  const own = Array.from(operations.values(), (each) => each.baseUrl ?? target.base_url);
  const addresses = given === undefined ? new Set([target.base_url, ...own]) : [given];
  const client = new HttpClient({
    guard: {
      privateAddresses: target.private_addresses,
      trustedOrigins: ownOrigins(...addresses, ...tokenUrls),
      ...(lookup ? { lookup } : {}),
    },
  });
  const secretHeaders = [
    ...fixed.keys(),
    ...schemes.map((scheme) => (scheme.type === 'api_key' ? (scheme.header_name ?? '') : '')),
  ];
  const credentials = createCredentials(auth, env, client);
  const folder = downloads ?? target.downloads;
  const saveTo = folder === undefined ? undefined : resolve(dirname(adapterFile), folder);

  return { execute, close: async () => client.close() };

  async function execute(execution: Execution): Promise<Executed> {
    const { operation, params, query, signal } = execution;
    const { files } = target;
    // A given address replaces all others, so that a test reaches nothing else.
    const baseUrl = given ?? operation.baseUrl ?? target.base_url;
    const request = await buildRequest(operation, params, { query, baseUrl, files, adapterFile });
    const isSaved = saveTo !== undefined && operation.response.format === 'binary';
    const maxBytes = isSaved ? MAX_DOWNLOAD : LIMITS.max_response_size;
    const attempts = operation.idempotent ? target.retries : 0;
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt === attempts;
      const answer = await sendSigned(request, maxBytes, signal).catch((error: unknown) => {
        const failure = sendFailure(error, signal, target.timeout_ms);
        if (isLast || !isPassing(failure)) throw failure;
        return undefined;
      });
      if (answer && isWithheld && (answer.status === 401 || answer.status === 403)) {
        throw withoutCredentials(answer.status, trust);
      }
      if (answer && (isLast || !TEMPORARY.has(answer.status)))
        return readAnswer(answer, execution, saveTo);
      const wait = answer?.status === 429 ? waitOf(answer) : backoff(attempt);
      // If the pause is longer than a call may take, the caller gets an error at once.
      if (answer && wait > target.timeout_ms) return readAnswer(answer, execution, saveTo);
      await sleep(wait, undefined, { signal }).catch((error: unknown) => {
        throw sendFailure(error, signal, target.timeout_ms);
      });
    }
  }

  /** An expired token is replaced once. Sending again is safe: the refused call had no effect. */
  async function sendSigned(
    request: HttpRequest,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const answer = await send(request, await credentials.current(signal), maxBytes, signal);
    if (answer.status !== 401 || !credentials.refused()) return answer;
    return send(request, await credentials.current(signal), maxBytes, signal);
  }

  async function send(
    { method, url, headers, body }: HttpRequest,
    { headers: signed, query, cookies, secrets }: Credentials,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const signedUrl = new URL(url);
    setQuery(signedUrl, query);
    const response = await client.request(signedUrl, {
      method,
      // Later headers win: no parameter and no file replaces our credentials.
      headers: merged(
        [['accept', 'application/json, text/plain;q=0.5, */*;q=0.1']],
        fixed,
        headers,
        signed,
        withCookies(headers.get('cookie') ?? fixed.get('cookie'), cookies),
      ),
      body,
      redirects: 'any',
      secretHeaders,
      signal: AbortSignal.any([signal, AbortSignal.timeout(target.timeout_ms)]),
    });
    const bytes = await readBytes(response.body, maxBytes);
    // Decoded only when needed: files are not read as text.
    const text = (): string =>
      withoutSecrets(textOf(bytes, response.headers['content-type']), secrets);
    return { status: response.status, headers: response.headers, text, bytes };
  }

  function backoff(attempt: number): number {
    return Math.min(target.retry_delay_ms * 2 ** attempt, target.timeout_ms);
  }
}

function withoutCredentials(http_status: number, trust: TrustLevel): ProtocolError {
  const message = `The target wants credentials, and none were sent: the adapter is only ${trust}. Review it first: callsign adapter review FILE`;
  return new ProtocolError('PERMISSION_REVIEW_REQUIRED', message, {
    http_status,
    trust_level: trust,
  });
}

/** An adapter that names localhost may call that port of this machine, and no other. */
function ownOrigins(...addresses: readonly string[]): string[] {
  return addresses
    .map((address) => new URL(address))
    .filter(({ hostname }) => isLoopback(hostname))
    .map(({ origin }) => origin);
}

/** No parameter replaces a cookie of our credentials. */
function withCookies(
  written: string | undefined,
  cookies: ReadonlyMap<string, string>,
): Map<string, string> {
  if (cookies.size === 0) return new Map();
  const others = (written ?? '')
    .split(/;\s*/)
    .filter((each) => each !== '' && !cookies.has(each.split('=', 1)[0]!));
  const own = Array.from(
    cookies,
    ([name, value]) => `${name}=${value.replace(NOT_IN_COOKIE, encodeURIComponent)}`,
  );
  return new Map([['cookie', [...others, ...own].join('; ')]]);
}

function merged(...parts: readonly Iterable<readonly [string, string]>[]): Record<string, string> {
  const headers = new Headers();
  for (const part of parts) for (const [name, value] of part) headers.set(name, value);
  return Object.fromEntries(headers);
}

function isPassing(error: Error): boolean {
  return error instanceof ProtocolError && error.code.startsWith('TRANSPORT_');
}

async function readAnswer(
  answer: HttpAnswer,
  { operation, params }: Execution,
  saveTo: string | undefined,
): Promise<Executed> {
  if (answer.status < 200 || answer.status > 299)
    throw answerFailure(answer, sensitiveIn(operation, params));
  const nextLink = nextLinkIn(answer.headers['link']);
  if (operation.response.format === 'binary') {
    const type = answer.headers['content-type'] ?? 'application/octet-stream';
    if (saveTo === undefined) return { data: new BinaryAnswer(type, answer.bytes) };
    const disposition = answer.headers['content-disposition'];
    const { bytes } = answer;
    const download = { bytes, contentType: type, disposition, operation: operation.name };
    return { data: await saveFile(download, saveTo) };
  }
  const text = answer.text();
  if (operation.response.format === 'text') return { data: text, nextLink };
  if (text.trim() === '') return { data: null, nextLink };
  try {
    return { data: parseExact(text), nextLink };
  } catch {
    const message = 'The target answered something that is not JSON; see response.format: text.';
    throw new ProtocolError('SERIALIZATION_PARSE_ERROR', message, {
      http_status: answer.status,
      preview: text.slice(0, PREVIEW),
    });
  }
}

function sensitiveIn({ params: declared }: Operation, params: Params): string[] {
  return [...params].flatMap(([name, value]) =>
    declared.get(name)?.sensitive ? [plainText(value)] : [],
  );
}

/** `<https://…?page=3>; rel="next"` among others. */
function nextLinkIn(header: string | string[] = ''): string | undefined {
  for (const link of String(header)
    .slice(0, 8192)
    .split(/,\s*(?=<)/)) {
    const [, url] = /^\s*<([^<>]*)>/.exec(link) ?? [];
    if (url !== undefined && /;\s*rel="?next"?(?:[\s;,]|$)/i.test(link)) return url;
  }
  return undefined;
}
