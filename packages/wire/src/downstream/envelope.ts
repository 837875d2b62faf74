/** Reads the client information in `_meta` of a stateless request. */

import { isObject, type Caller } from '@callsign/core';

import type { Message } from '../rpc/message/message.js';
import { META, STATELESS_VERSIONS } from '../rpc/message/protocol.js';
import { errorJson, INVALID_PARAMS, UNSUPPORTED_VERSION } from '../rpc/message/rpc-error.js';
import { isLogLevel, type LogLevel } from './log-level.js';

/** What a stateless client says about itself with every request. */
export interface Envelope {
  readonly version: string;
  /** As JSON text. */
  readonly capabilities: string;
  readonly declared: Readonly<Record<string, unknown>>;
  readonly client: { readonly name: string; readonly version: string } | undefined;
  readonly logLevel: LogLevel | undefined;
}

/** The envelope, or the JSON-RPC error for an invalid one. */
export type ReadEnvelope =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly error: string };

/** The caller behind an envelope, under an id of the listener. */
export function callerOf(
  envelope: Envelope,
  id: string,
  { principal, connection, sets }: Pick<Caller, 'principal' | 'connection' | 'sets'>,
): Caller {
  const { version, client, capabilities, declared } = envelope;
  return {
    id,
    era: 'stateless',
    version,
    client: client ?? { name: 'unknown', version: '0' },
    principal,
    connection,
    sets,
    capabilities,
    can: (capability) => declared[capability] !== undefined,
  };
}

/** Whether a message names a protocol version in `_meta`. Then it belongs to the stateless era. */
export function isStatelessMessage({ params, metaStart, metaEnd }: Message): boolean {
  return (
    metaStart !== -1 && params!.slice(metaStart, metaEnd).includes(`"${META.protocolVersion}"`)
  );
}

/** How many envelopes are cached, and how long each may be. */
const MAX_KNOWN = 64;
const MAX_LENGTH = 4_096;

interface Known {
  readonly text: string;
  readonly read: ReadEnvelope;
}

/** Caches envelopes by their text: most clients send the same one with every request. */
export class EnvelopeReader {
  readonly #known = new Map<string, Known>();
  /** The latest one, compared first: the map would have to hash the whole text. */
  #last: Known | undefined;

  read({ params, metaStart, metaEnd, tokenStart }: Message): ReadEnvelope {
    if (metaStart === -1) return missing(['_meta']);
    const text = params!.slice(metaStart, metaEnd);
    if (text === this.#last?.text) return this.#last.read;
    const before = this.#known.get(text);
    if (before) {
      this.#last = before;
      return before.read;
    }
    const read = envelopeIn(JSON.parse(text));
    // With a progress token every envelope is different.
    if (read.ok && tokenStart === -1 && text.length <= MAX_LENGTH) this.#remember(text, read);
    return read;
  }

  #remember(text: string, read: ReadEnvelope): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MAX_KNOWN) this.#known.delete(oldest);
    // A slice would keep the whole message in memory.
    const copy = Buffer.from(text).toString();
    this.#known.set(copy, { text: copy, read });
  }
}

function envelopeIn(meta: unknown): ReadEnvelope {
  if (!isObject(meta)) return missing(['_meta']);
  const version = meta[META.protocolVersion];
  const declared = meta[META.clientCapabilities];
  const absent = [META.protocolVersion, META.clientCapabilities].filter(
    (key) => meta[key] === undefined,
  );
  if (absent.length > 0) return missing(absent);
  if (typeof version !== 'string') return invalid(META.protocolVersion, 'not a string');
  if (!isObject(declared)) return invalid(META.clientCapabilities, 'not an object');
  const client = meta[META.clientInfo];
  if (client !== undefined && !isClientInfo(client))
    return invalid(META.clientInfo, 'not a name and a version');
  const logLevel = meta[META.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel))
    return invalid(META.logLevel, 'not a log level');
  if (!(STATELESS_VERSIONS as readonly string[]).includes(version)) return unsupported(version);
  const capabilities = JSON.stringify(declared);
  return { ok: true, envelope: { version, capabilities, declared, client, logLevel } };
}

function unsupported(requested: string): { ok: false; error: string } {
  const data = { supported: STATELESS_VERSIONS, requested };
  const message = `Unsupported protocol version: ${requested}`;
  return { ok: false, error: errorJson(UNSUPPORTED_VERSION, message, data) };
}

function missing(keys: readonly string[]): ReadEnvelope {
  const message = `Invalid params: the request is missing the required per-request envelope key(s): ${keys.join(', ')}`;
  return { ok: false, error: errorJson(INVALID_PARAMS, message, { envelope: { missing: keys } }) };
}

function invalid(key: string, problem: string): ReadEnvelope {
  const message = `Invalid params: ${key} is ${problem}`;
  return { ok: false, error: errorJson(INVALID_PARAMS, message, { envelope: { key, problem } }) };
}

function isClientInfo(value: unknown): value is { name: string; version: string } {
  return (
    isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
  );
}
