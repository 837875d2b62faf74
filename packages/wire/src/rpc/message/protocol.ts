/** The names, versions and numbers of the protocol, in one place. */

import type { Kind } from '@callsign/core';

/** Versions with a handshake and a session, newest first. */
export const SESSION_VERSIONS = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const;

/** Versions without a handshake, newest first. */
export const STATELESS_VERSIONS = ['2026-07-28'] as const;

/** The version that we offer to servers, and to clients that ask for an unknown one. */
export const NEWEST_SESSION = '2025-11-25';
/** The version of every stateless request that we send. */
export const NEWEST_STATELESS = '2026-07-28';

/**
 * A list that may change: its notification, the flag by which stateless clients subscribe to it,
 * its capability, and the kinds in it.
 */
export interface List {
  readonly notification: string;
  readonly flag: string;
  readonly capability: string;
  readonly kinds: readonly Kind[];
}

/** Resources and templates share one notification. */
export const LISTS: readonly List[] = [
  {
    notification: 'notifications/tools/list_changed',
    flag: 'toolsListChanged',
    capability: 'tools',
    kinds: ['tool'],
  },
  {
    notification: 'notifications/prompts/list_changed',
    flag: 'promptsListChanged',
    capability: 'prompts',
    kinds: ['prompt'],
  },
  {
    notification: 'notifications/resources/list_changed',
    flag: 'resourcesListChanged',
    capability: 'resources',
    kinds: ['resource', 'template'],
  },
];

/** Methods whose stateless requests repeat a name in a header, and the member with the name. */
export const NAMED_IN_HEADER: ReadonlyMap<string, 'name' | 'uri' | 'taskId'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Keys of `_meta` in the stateless era. */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/**
 * Asks a source to report changes of a task, until the second method ends it. Only sources use
 * them: they are not methods of the protocol.
 */
export const WATCH_TASK = 'callsign/watch-task';
/** Ends what `WATCH_TASK` began. */
export const UNWATCH_TASK = 'callsign/unwatch-task';

/** Our own name and version, as servers and clients see them. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** Compares as text, since versions are dates. */
export function isStatelessVersion(version: string): boolean {
  return version >= NEWEST_STATELESS;
}
