/** Streamable HTTP for stateless requests: each request has its own client object. */

import { createHash } from 'node:crypto';

import { memberText, membersOf, valueAt, type Source } from '@callsign/core';

import type { RequestHead } from '../../rpc/http-server/quick-request.js';
import { decodeHeader } from '../../rpc/message/header-text.js';
import type { Message } from '../../rpc/message/message.js';
import { headerText, paramHeaders } from '../../rpc/message/param-headers.js';
import { META } from '../../rpc/message/protocol.js';
import {
  HEADER_MISMATCH,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  PARSE_ERROR,
  UNSUPPORTED_VERSION,
} from '../../rpc/message/rpc-error.js';
import { errorText } from '../../rpc/message/rpc-text.js';
import type { Text } from '../../rpc/stream/long-text.js';
import { calledName } from '../prepared-call.js';
import {
  UNKNOWN_CLIENT,
  StatelessClient,
  type SentKind,
  type StatelessOptions,
} from '../stateless-client.js';
import type { Answer } from './answer.js';
import { headerError, methodError, mismatch, single } from './headers.js';

/** The HTTP status for our own JSON-RPC errors. Others have 200. */
const OWN_STATUS: ReadonlyMap<number, number> = new Map([
  [PARSE_ERROR, 400],
  [INVALID_REQUEST, 400],
  [HEADER_MISMATCH, 400],
  [MISSING_CAPABILITY, 400],
  [UNSUPPORTED_VERSION, 400],
  [METHOD_NOT_FOUND, 404],
]);

export class StatelessLeg {
  readonly #streams = new Map<Answer, StatelessClient>();
  /** Requests without an answer. Subscriptions do not count: they never get one. */
  callsUnderWay = 0;

  post(request: RequestHead, message: Message, answer: Answer, options: StatelessOptions): void {
    const { id, method = '' } = message;
    if (id === undefined) {
      const wrong = methodError(request.headers, method);
      return wrong === undefined ? answer.empty(202) : answer.json(400, errorText(id, wrong));
    }
    const said = single(request.headers['mcp-protocol-version']);
    const claimed = claimedVersion(message, said);
    if (claimed !== undefined && said !== undefined && claimed !== said) {
      return answer.json(
        400,
        errorText(id, mismatch(said, `the body claims protocol version ${claimed}`)),
      );
    }
    const read = options.surface.envelopes.read(message);
    if (!read.ok) return answer.json(400, errorText(id, read.error));
    const { envelope } = read;
    const { principal } = options.surface;
    const view = options.view ?? options.surface.viewFor(envelope.client, principal);
    const wrong =
      headerError(request.headers, message, envelope.version) ??
      paramHeaderError(request, message, view);
    if (wrong !== undefined) return answer.json(400, errorText(id, wrong));

    const client: StatelessClient = new StatelessClient(
      options,
      principal?.name ?? identityOf(request),
      (text, kind) => {
        if (kind === 'more') return this.#stream(answer, client, text);
        if (answer.isStream) {
          answer.event(text);
          answer.end();
        } else answer.json(statusOf(text, kind), text);
      },
      false,
    );
    const calls = method === 'subscriptions/listen' ? 0 : 1;
    this.callsUnderWay += calls;
    // In this era a client cancels by closing the connection.
    answer.onClose(() => {
      this.callsUnderWay -= calls;
      this.#streams.delete(answer);
      client.end();
    });
    client.receive(message);
  }

  keepAlive(): void {
    for (const answer of this.#streams.keys()) answer.raw(': keepalive\n\n');
  }

  close(): void {
    for (const [answer, client] of this.#streams) {
      client.finish();
      answer.end();
    }
  }

  #stream(answer: Answer, client: StatelessClient, text: Text): boolean {
    answer.startStream();
    this.#streams.set(answer, client);
    return answer.event(text);
  }
}

/** A server's own error has status 200, unless a capability or a method is missing. */
function statusOf(text: Text, kind: SentKind): number {
  if (kind === 'result') return 200;
  const code = Number(memberText(memberText(String(text), 'error') ?? '{}', 'code'));
  const isPassedOn = code === MISSING_CAPABILITY || code === METHOD_NOT_FOUND;
  if (kind === 'relayed-error' && !isPassedOn) return 200;
  return OWN_STATUS.get(code) ?? 200;
}

/** The version in the body. Searches first for that of the header, which is nearly always there. */
function claimedVersion(
  { params, metaStart, metaEnd }: Message,
  said: string | undefined,
): string | undefined {
  if (metaStart === -1) return undefined;
  const text = params!.slice(metaStart, metaEnd);
  if (text.includes(`"${META.protocolVersion}":"${said}"`)) return said;
  const meta = JSON.parse(text) as Record<string, unknown> | null;
  const version = meta?.[META.protocolVersion];
  return typeof version === 'string' ? version : undefined;
}

/** Equal credentials mean the same client. Without credentials we cannot know. */
function identityOf(request: RequestHead): string {
  const { authorization } = request.headers;
  if (authorization === undefined) return UNKNOWN_CLIENT;
  return createHash('sha256').update(authorization).digest('base64url');
}

/** Compares headers that repeat arguments with the arguments. */
function paramHeaderError(
  request: RequestHead,
  message: Message,
  view: Source,
): string | undefined {
  const { method, params } = message;
  const name = method === 'tools/call' ? calledName(message) : undefined;
  const item = name === undefined ? undefined : view.route('tool', name)?.item;
  const declared = item ? paramHeaders(item) : [];
  if (declared.length === 0) return undefined;
  const range = membersOf(params!)?.get('arguments');
  const args: unknown = range && JSON.parse(params!.slice(range.start, range.end));
  for (const { header, path } of declared) {
    const value = valueAt(args, path);
    const expected = headerText(value);
    if (value === undefined || value === null || expected === undefined) continue;
    const said = single(request.headers[header]);
    if (said === undefined) return mismatch('(missing)', `${header} is required`);
    const decoded = decodeHeader(said);
    const isSame = typeof value === 'number' ? Number(decoded) === value : decoded === expected;
    if (!isSame) return mismatch(said, `the argument ${path.join('.')} is ${expected}`);
  }
  return undefined;
}
