/** The handshake with a server: its identity, its capabilities and its protocol eras. */

import { setTimeout as sleep } from 'node:timers/promises';

import {
  type Ability,
  CallsignError,
  type Era,
  isObject,
  memberText,
  type Reply,
  visibleLine,
} from '@callsign/core';

import {
  META,
  NEWEST_SESSION,
  NEWEST_STATELESS,
  SESSION_VERSIONS,
  type Implementation,
} from '../rpc/message/protocol.js';
import { UPSTREAM_ERROR } from '../rpc/message/rpc-error.js';
import type { Connection } from './connection.js';

/** What a server says about itself. */
export interface Greeting {
  readonly era: Era;
  /** Whether it also speaks the other era. */
  readonly speaksBoth: boolean;
  readonly capabilities: Capabilities;
  /** The capabilities as JSON text, including those that we do not know. */
  readonly capabilitiesJson: string;
  readonly instructions: string | undefined;
  /** The capabilities in the other era, if it speaks both. */
  readonly otherCapabilitiesJson?: string | undefined;
}

export interface Capabilities {
  readonly tools?: object;
  readonly prompts?: object;
  readonly resources?: { readonly subscribe?: boolean };
  readonly completions?: object;
  readonly logging?: object;
}

/** What a server can do besides its lists. */
export function abilitiesOf({ completions, logging, resources }: Capabilities): Set<Ability> {
  const abilities = new Set<Ability>();
  if (completions) abilities.add('completions');
  if (logging) abilities.add('logging');
  if (resources?.subscribe) abilities.add('subscribe');
  return abilities;
}

/** What we declare if there are several clients: everything that any client may support. */
const OUR_CAPABILITIES = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/** What we declare for a single client: what it declares, except tasks. */
function passedOn(capabilities: string): object {
  const { sampling, elicitation, roots, extensions } = JSON.parse(capabilities) as Record<
    string,
    unknown
  >;
  return { sampling, elicitation, roots, extensions };
}

/** Characters. The instructions of a server are stored, and are compared with each new offer. */
const MAX_OWN_INSTRUCTIONS = 64 * 1024;

/** How much later than the handshake the answer to the probe may come. */
const PROBE_LAG_MS = 300;

/** The `_meta` of requests that we make ourselves, as JSON text. */
export function ownMeta(self: Implementation, capabilities: object = {}): string {
  return JSON.stringify({
    [META.protocolVersion]: NEWEST_STATELESS,
    [META.clientCapabilities]: capabilities,
    [META.clientInfo]: self,
  });
}

function initializeParams(self: Implementation, client: string | undefined): string {
  const capabilities = client === undefined ? OUR_CAPABILITIES : passedOn(client);
  return JSON.stringify({ protocolVersion: NEWEST_SESSION, capabilities, clientInfo: self });
}

/**
 * Opens the session era and probes for the stateless era at the same time. Servers answer the probe
 * before they see the handshake, and the handshake still makes it a session: one process, one round
 * trip. `client`: the capabilities of the only client, as JSON text.
 */
export async function openEither(
  connection: Connection,
  self: Implementation,
  timeoutMs: number,
  probe: boolean,
  client?: string,
): Promise<Greeting> {
  const discovered = probe ? discover(connection, self, timeoutMs) : Promise.resolve(undefined);
  const initialized = await connection.request(
    'initialize',
    initializeParams(self, client),
    timeoutMs,
  );
  const isSession = initialized.ok && hasSessionVersion(initialized.json);
  const other = await (isSession
    ? Promise.race([discovered, sleep(PROBE_LAG_MS, undefined, { ref: false })])
    : discovered);
  if (isSession) {
    connection.notify('notifications/initialized');
    return withOther({ era: 'session', speaksBoth: false, ...described(initialized.json) }, other);
  }
  if (other !== undefined) return other;
  throw refusal(initialized);
}

/** Adds what a server answered in the other era, if it did. */
export function withOther(greeting: Greeting, other: Greeting | undefined): Greeting {
  const otherCapabilitiesJson = other?.capabilitiesJson;
  return { ...greeting, speaksBoth: other !== undefined, otherCapabilitiesJson };
}

/** Opens the session era alone. */
export function openSession(
  connection: Connection,
  self: Implementation,
  timeoutMs: number,
  client?: string,
): Promise<Greeting> {
  return openEither(connection, self, timeoutMs, false, client);
}

/** Opens the stateless era only. `undefined`: the server does not speak it. */
export async function discover(
  connection: Connection,
  self: Implementation,
  timeoutMs: number,
): Promise<Greeting | undefined> {
  const params = `{"_meta":${ownMeta(self)}}`;
  const reply = await connection
    .request('server/discover', params, timeoutMs)
    .catch(() => undefined);
  if (!reply?.ok) return undefined;
  const versions = memberText(reply.json, 'supportedVersions');
  if (!versions?.includes(JSON.stringify(NEWEST_STATELESS))) return undefined;
  return { era: 'stateless', speaksBoth: false, ...described(reply.json) };
}

function described(
  result: string,
): Pick<Greeting, 'capabilities' | 'capabilitiesJson' | 'instructions'> {
  const { capabilities, instructions } = JSON.parse(result) as Record<string, unknown>;
  const isKnown = isObject(capabilities);
  return {
    capabilities: isKnown ? (capabilities as Capabilities) : {},
    capabilitiesJson: isKnown ? memberText(result, 'capabilities')! : '{}',
    instructions: typeof instructions === 'string' ? firstOf(instructions) : undefined,
  };
}

/** Never ends with half a character. */
function firstOf(instructions: string): string {
  if (instructions.length <= MAX_OWN_INSTRUCTIONS) return instructions;
  return instructions.slice(0, MAX_OWN_INSTRUCTIONS).replace(/[\uD800-\uDBFF]$/, '');
}

function hasSessionVersion(result: string): boolean {
  const version = memberText(result, 'protocolVersion');
  return SESSION_VERSIONS.some((known) => version === JSON.stringify(known));
}

/** What we say of an answer over HTTP that is no message, such as a page that asks for a sign-in. */
function ownWords(error: string): string | undefined {
  const { code, message, data } = JSON.parse(error) as Record<string, unknown>;
  const isOurs = code === UPSTREAM_ERROR && isObject(data) && data['status'] !== undefined;
  return isOurs && typeof message === 'string' ? visibleLine(message, 300) : undefined;
}

function refusal(reply: Reply): CallsignError {
  const said = memberText(reply.json, reply.ok ? 'protocolVersion' : 'message');
  const reason = reply.ok
    ? `it speaks an unknown protocol version: ${said && visibleLine(said, 300)}`
    : (ownWords(reply.json) ?? `it refused the handshake: ${visibleLine(said ?? reply.json, 300)}`);
  return new CallsignError('upstream-unavailable', { reason });
}
