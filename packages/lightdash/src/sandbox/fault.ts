/** The faults that the sandbox can simulate: errors of Lightdash, of proxies and of the network. */

import type { ServerResponse } from 'node:http';

import { ApiProblem } from './api-problem.js';

/** The answer that the request would have received. */
export interface Intended {
  readonly status: number;
  readonly text: string;
}

/** Answers instead of the sandbox. The request takes effect only if the fault calls `intended`. */
export type Fault = (response: ServerResponse, intended: () => Intended) => void;

/** The faults by name, for `Sandbox.fail`. */
export type FaultName =
  | 'unauthorized-text'
  | 'unauthorized-json'
  | 'tokens-disabled'
  | 'deactivated'
  | 'forbidden'
  | 'groups-disabled'
  | 'no-route'
  | 'not-found'
  | 'invalid'
  | 'rate-limited'
  | 'rate-limited-seconds'
  | 'rate-limited-date'
  | 'rate-limited-for-long'
  | 'server-error'
  | 'bad-gateway'
  | 'web-page'
  | 'redirect'
  | 'error-as-success'
  | 'other-json'
  | 'plain-text'
  | 'wrong-content-type'
  | 'truncated'
  | 'empty'
  | 'no-content'
  | 'null-results'
  | 'broken'
  | 'reset'
  | 'slow'
  | 'silent';

const PAGE = '<!doctype html><html><head><title>Lightdash</title></head><body></body></html>';
const RETRY_AFTER_SECONDS = 1;
const SLOW_MS = 500;

function problem(statusCode: number, name: string, message: string, more: object = {}): Fault {
  return (response) => {
    const error = { statusCode, name, message, data: {}, ...more };
    send(response, statusCode, JSON.stringify({ status: 'error', error }));
  };
}

function limited(retryAfter?: () => string): Fault {
  return (response) => {
    if (retryAfter) response.setHeader('Retry-After', retryAfter());
    send(response, 429, '<html><body>429 Too Many Requests</body></html>', 'text/html');
  };
}

export const FAULTS: Readonly<Record<FaultName, Fault>> = {
  /** The plain answer of the sign-in, without an envelope. */
  'unauthorized-text': (response) => send(response, 401, 'Unauthorized', 'text/plain'),
  'unauthorized-json': problem(
    401,
    'AuthorizationError',
    'Personal access token is not recognised',
  ),
  'tokens-disabled': problem(401, 'AuthorizationError', 'Personal access tokens are disabled'),
  deactivated: problem(403, 'DeactivatedAccountError', 'Your account has been deactivated'),
  forbidden: problem(403, 'ForbiddenError', "You don't have access to this resource or action"),
  'groups-disabled': problem(403, 'ForbiddenError', 'Group service is not enabled'),
  'no-route': problem(404, 'NotFoundError', 'API endpoint not found'),
  'not-found': problem(404, 'NotFoundError', 'Not here'),
  invalid: problem(422, 'ValidateError', 'Validation failed', {
    data: { page: { message: 'bad' } },
  }),
  'rate-limited': limited(),
  'rate-limited-seconds': limited(() => String(RETRY_AFTER_SECONDS)),
  'rate-limited-date': limited(() =>
    new Date(Date.now() + RETRY_AFTER_SECONDS * 1000 + 999).toUTCString(),
  ),
  'rate-limited-for-long': limited(() => '86400'),
  'server-error': problem(500, 'UnexpectedServerError', 'Something went wrong.', {
    sentryTraceId: '0af7651916cd43dd8448eb211c80319c',
    sentryEventId: '4bf92f3577b34da6a3ce929d0e0e4736',
  }),
  'bad-gateway': (response) =>
    send(response, 502, '<html><body>502 Bad Gateway</body></html>', 'text/html'),
  /** The answer to a path outside the API, and therefore to a wrong base URL. */
  'web-page': (response) => send(response, 200, PAGE, 'text/html'),
  redirect: (response) => {
    response.setHeader('Location', 'https://login.example.com/sso?state=abc');
    send(response, 302, '');
  },
  'error-as-success': (response) =>
    send(
      response,
      200,
      JSON.stringify({
        status: 'error',
        error: { statusCode: 400, name: 'ParameterError', message: 'It did not work', data: {} },
      }),
    ),
  'other-json': (response) => send(response, 200, '{"hello":"world"}'),
  'plain-text': (response) => send(response, 200, 'It works!', 'text/plain'),
  /** Correct except for its content type. */
  'wrong-content-type': (response, intended) => {
    const { status, text } = intended();
    send(response, status, text, 'text/plain');
  },
  truncated: (response, intended) => send(response, 200, firstHalf(intended().text)),
  empty: (response) => send(response, 200, ''),
  'no-content': (response) => send(response, 204, ''),
  'null-results': (response) => send(response, 200, '{"status":"ok","results":null}'),
  /** The connection breaks in the middle of the answer. */
  broken: (response, intended) => {
    const { text } = intended();
    response.writeHead(200, { 'Content-Length': Buffer.byteLength(text) });
    response.write(firstHalf(text), () => response.destroy());
  },
  /** The connection breaks before any answer. */
  reset: (response) => response.socket?.resetAndDestroy(),
  slow: (response, intended) => {
    const { status, text } = intended();
    const timer = setTimeout(() => send(response, status, text), SLOW_MS);
    response.once('close', () => clearTimeout(timer));
  },
  /** No answer at all, for as long as the client waits. */
  silent: () => undefined,
};

function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

/** When a fault occurs. Default: for every request, without an end. */
export interface FaultRule {
  readonly fault: FaultName;
  /** Only requests with a matching path. */
  readonly path?: RegExp;
  /** Only this number of requests. */
  readonly times?: number;
}

/** The active faults, newest first. */
export class Faults {
  readonly #rules: (FaultRule & { left: number })[] = [];

  /** Returns a function that switches it off. */
  add(rule: FaultRule): () => void {
    const entry = { ...rule, left: rule.times ?? Infinity };
    this.#rules.unshift(entry);
    return () => {
      entry.left = 0;
    };
  }

  /** The fault for a request, if any. */
  next(path: string): Fault | undefined {
    const rule = this.#rules.find((each) => each.left > 0 && (each.path?.test(path) ?? true));
    if (!rule) return undefined;
    rule.left--;
    return FAULTS[rule.fault];
  }
}

/** The envelope of an error. */
export function refusalOf(error: unknown): Intended {
  const { statusCode, name, message, data } =
    error instanceof ApiProblem
      ? error
      : new ApiProblem(500, 'UnexpectedServerError', 'Something went wrong.');
  return {
    status: statusCode,
    text: JSON.stringify({ status: 'error', error: { statusCode, name, message, data } }),
  };
}

export function send(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'application/json',
): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` }).end(text);
}
