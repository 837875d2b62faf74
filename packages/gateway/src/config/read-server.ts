/** Reads a server entry of any client's file. */

import { serverKeyAdvice, configuredKeyProblem } from '@callsign/naming';
import { getNodeValue, type Node } from 'jsonc-parser';

import { isForAll } from './child-environment.js';
import { CLIENT_EXTRAS, UNSUPPORTED_FIELDS } from './client-extras.js';
import { type EntryContext, expandSetting, readFields } from './entry-fields.js';
import { checkValue, didYouMean, memberOf, membersOf, nearestWord } from '@callsign/config';
import type { Member, ProblemLog, WrittenEntry } from '@callsign/config';
import type { RemoteServer, ServerConfig, StdioServer, WrittenServer } from './server-config.js';
import {
  ADDRESS_FIELDS,
  type AddressField,
  ENTRY_FIELDS,
  plainLocal,
  type NestedCommand,
  type ServerEntry,
  TRANSPORTS,
  transportWordsFor,
} from './server-entry.js';
import { SERVER_ENTRY } from './server-entry-schema.js';
import type { ServerSettings } from './settings.js';

/**
 * Returns the server; `undefined` if a problem has been logged. Logs as many problems as it can
 * find.
 */
export function readServer(
  member: Member,
  writtenSettings: ServerSettings,
  context: EntryContext,
): ServerConfig | undefined {
  const { key, keyNode, value: node } = member;
  const { log } = context;
  logKeyFaults(key, keyNode, log);
  if (node.type !== 'object') {
    const advice = `write ${JSON.stringify(key)}: {"command": "npx"}`;
    log.problem('wrong-type', node, 'must be an object', advice);
    return undefined;
  }
  logForeignFields(node, log);
  const variables = new Set<string>();
  const onVariable = (name: string, value: string): void => {
    if (!isForAll(name)) variables.add(value);
  };
  const fields = readFields(node, { ...context, onVariable });
  const settings = withSecrets(writtenSettings, (written) =>
    expandSetting(written, keyNode, { ...context, onVariable }),
  );
  const entry = plainLocal(fields) ?? checkValue(SERVER_ENTRY, fields, node, log);
  const address = soleAddress(member, fields, log);
  if (address === undefined) return undefined;
  logMismatches(node, fields, address, log);
  logAccountProblems(member, settings, address, log);
  if (entry === undefined) return undefined;
  const server =
    address === 'command'
      ? stdioServer(key, entry, entry.command!, settings)
      : remoteServer(key, entry, address, settings);
  const text = plainText(node, context.text);
  const { secrets } = context;
  const written: WrittenServer = {
    entry: getNodeValue(node) as WrittenEntry,
    text,
    variables: [...variables],
    ...(secrets?.size ? { secrets } : {}),
  };
  return { ...server, written };
}

/** Our secrets at authorization servers may be variables. */
function withSecrets(
  settings: ServerSettings,
  valueOf: (written: string) => string,
): ServerSettings {
  const { oauth, accounts } = settings;
  const [secret, exchange] = [oauth?.clientSecret, accounts?.exchange];
  return {
    ...settings,
    ...(secret === undefined ? {} : { oauth: { ...oauth, clientSecret: valueOf(secret) } }),
    ...(exchange?.clientSecret === undefined
      ? {}
      : {
          accounts: {
            ...accounts!,
            exchange: { ...exchange, clientSecret: valueOf(exchange.clientSecret) },
          },
        }),
  };
}

/** The JSON text of a node without spaces and comments. Numbers keep their digits. */
function plainText(node: Node, file: string): string {
  const { type, children = [], offset, length } = node;
  const parts = children.map((child) => plainText(child, file));
  if (type === 'object') return `{${parts.join(',')}}`;
  if (type === 'array') return `[${parts.join(',')}]`;
  return type === 'property' ? parts.join(':') : file.slice(offset, offset + length);
}

function logKeyFaults(key: string, keyNode: Node, log: ProblemLog): void {
  const problem = configuredKeyProblem(key);
  const advice = serverKeyAdvice(key);
  if (problem !== undefined) log.problem('server-key', keyNode, 'cannot be a server key', problem);
  else if (advice !== undefined) {
    log.warning('server-key', keyNode, 'is a key that some clients have to change', advice);
  }
}

function logForeignFields(node: Node, log: ProblemLog): void {
  for (const { key, keyNode } of membersOf(node).filter(isForeign)) {
    const instead = UNSUPPORTED_FIELDS.get(key);
    if (instead !== undefined) {
      log.warning('unsupported', keyNode, 'is not supported and has no effect', instead);
    } else {
      const advice = didYouMean(key, ENTRY_FIELDS, 'remove it if it is a typing error');
      log.warning('unknown-key', keyNode, 'is not known and has no effect', advice);
    }
  }
}

function isForeign({ key }: Member): boolean {
  return !ENTRY_FIELDS.includes(key) && !CLIENT_EXTRAS.has(key);
}

/**
 * The one field that says how to reach the server. Logs a problem if there is none, or more than
 * one.
 */
function soleAddress(
  { keyNode, value }: Member,
  fields: Readonly<Record<string, unknown>>,
  log: ProblemLog,
): AddressField | undefined {
  const [address, other] = ADDRESS_FIELDS.filter((field) => Object.hasOwn(fields, field));
  if (address === undefined) {
    logMissingAddress(keyNode, value, log);
  } else if (other !== undefined) {
    const message = `cannot be combined with ${JSON.stringify(address)}`;
    const advice = 'keep "command" for a server on this machine, or "url" for a remote one';
    log.problem('contradiction', memberOf(value, other)!.keyNode, message, advice);
    return undefined;
  }
  return address;
}

function logMissingAddress(keyNode: Node, value: Node, log: ProblemLog): void {
  for (const { key, keyNode: slip } of membersOf(value).filter(isForeign)) {
    const meant = nearestWord(key, ADDRESS_FIELDS);
    if (meant === undefined) continue;
    log.problem('unknown-key', slip, 'is not known', `did you mean "${meant}"?`);
    return;
  }
  const advice = 'add "command": "npx" and its "args", or "url": "https://example.com/mcp"';
  log.problem('missing-key', keyNode, 'has neither a "command" nor a "url"', advice);
}

/** Callers can have accounts only where there is a way to give the server their credentials. */
function logAccountProblems(
  { keyNode, value }: Member,
  { accounts }: ServerSettings,
  address: AddressField,
  log: ProblemLog,
): void {
  if (!accounts) return;
  if (address === 'command' && !accounts.slots) {
    const message = 'runs on this machine, so its callers cannot sign in to it';
    const advice =
      'name the variables that they fill in: "slots": {"TOKEN": {"label": "Your token"}}';
    log.problem('contradiction', keyNode, message, advice);
  }
  if (address === 'command' && accounts.exchange) {
    const message = 'runs on this machine, so no token can be sent to it';
    log.problem('contradiction', keyNode, message, 'remove "exchange"');
  }
  const headers = membersOf(memberOf(value, 'headers')?.value);
  const own = headers.find(({ key }) => key.toLowerCase() === 'authorization');
  if (own && accounts.lists === 'own') {
    const message = 'is never sent, because every caller has an account of their own';
    const advice = 'remove it, or write "lists": "shared" to use it for lists';
    log.warning('ignored-key', own.keyNode, message, advice);
  }
}

/** A contradicting type is a mistake. Fields of the other kind of server only have no effect. */
function logMismatches(
  node: Node,
  fields: Readonly<Record<string, unknown>>,
  address: AddressField,
  log: ProblemLog,
): void {
  const { type, command } = fields;
  const isLocal = address === 'command';
  const words: readonly unknown[] = transportWordsFor(address);
  if (typeof type === 'string' && Object.hasOwn(TRANSPORTS, type) && !words.includes(type)) {
    const at = memberOf(node, 'type')!.value;
    const advice = `remove it, or write ${isLocal ? '"stdio"' : '"http" or "sse"'}`;
    log.problem('contradiction', at, `does not match "${address}"`, advice);
  }
  const isNested = typeof command === 'object';
  const others = isLocal ? ['headers'] : ['args', 'env', 'cwd'];
  for (const field of isNested ? [...others, 'args', 'env'] : others) {
    if (!Object.hasOwn(fields, field)) continue;
    const { keyNode } = memberOf(node, field)!;
    log.warning('ignored-key', keyNode, `has no effect together with "${address}"`, 'remove it');
  }
}

function stdioServer(
  key: string,
  entry: ServerEntry,
  command: string | NestedCommand,
  settings: ServerSettings,
): StdioServer {
  const nested = typeof command === 'string' ? { ...entry, path: command } : command;
  const { path, args = [], env = {} } = nested;
  const cwd = entry.cwd === undefined ? {} : { cwd: entry.cwd };
  return { key, transport: 'stdio', command: path, args, env, ...cwd, settings };
}

function remoteServer(
  key: string,
  entry: ServerEntry,
  address: Exclude<AddressField, 'command'>,
  settings: ServerSettings,
): RemoteServer {
  const { type, headers = {} } = entry;
  return {
    key,
    transport: remoteTransport(type, address),
    url: entry[address]!,
    headers,
    settings,
  };
}

function remoteTransport(
  type: ServerEntry['type'],
  address: AddressField,
): RemoteServer['transport'] {
  if (type !== undefined) return TRANSPORTS[type] === 'sse' ? 'sse' : 'streamable-http';
  // Gemini uses "url" for SSE and this field for the newer transport; others put either into "url".
  return address === 'httpUrl' ? 'streamable-http' : 'http-or-sse';
}
