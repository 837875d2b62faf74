/** The servers that are compared, and how each of them is reached. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Era } from '../clients/peer.js';
import type { Command } from '../clients/pipe-peer.js';
import { fixture, official } from '../clients/servers.js';
import {
  EVERYTHING,
  filesystem,
  MEMORY,
  OFFICIAL_EVERYTHING,
  PLAIN,
  THINKING,
  type Operation,
} from './operations.js';
import { removeFolder } from '../../testing/remove-folder.js';

export interface Subject {
  readonly title: string;
  /** The key under which the gateway has it. */
  readonly key: string;
  /** A new server with its own state. */
  readonly command: () => Command;
  /** It is reached over HTTP, and one process serves all clients. */
  readonly isRemote?: true;
  /** The eras in which the gateway talks to it. */
  readonly eras: readonly Era[];
  /** Whether answers depend on the calls before, so that each gateway needs a server to compare with. */
  readonly remembers?: true;
  /** It asks for roots at any time, independent of calls. */
  readonly asksForRoots?: true;
  /** Its settings in the gateway. */
  readonly settings?: object;
  readonly operations: readonly Operation[];
}

const folder = mkdtempSync(join(tmpdir(), 'callsign-differential-'));

export function setUpSubjects(): void {
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  writeFileSync(join(folder, 'dot.png'), Buffer.from('iVBORw0KGgo=', 'base64'));
}

export function tearDownSubjects(): void {
  removeFolder(folder);
}

let memories = 0;

/**
 * The servers of a group are behind one gateway. Servers with the same resources are in different
 * groups.
 */
export const GROUPS: readonly (readonly Subject[])[] = [
  [
    {
      title: 'plain-child, sessions only',
      key: 'plain',
      command: () => fixture('plain-child'),
      eras: ['session'],
      operations: PLAIN,
    },
    {
      title: 'everything, both eras',
      key: 'everything',
      command: () => fixture('everything'),
      eras: ['session', 'stateless'],
      operations: EVERYTHING,
    },
    {
      title: 'the official everything',
      key: 'official',
      command: () => official('everything', ['stdio']),
      eras: ['session'],
      asksForRoots: true,
      operations: OFFICIAL_EVERYTHING,
    },
    {
      title: 'the official filesystem',
      key: 'filesystem',
      command: () => official('filesystem', [folder]),
      eras: ['session'],
      asksForRoots: true,
      operations: filesystem(folder),
    },
    {
      title: 'the official memory',
      key: 'memory',
      command: () =>
        official('memory', [], { MEMORY_FILE_PATH: join(folder, `.memory-${++memories}.jsonl`) }),
      eras: ['session'],
      remembers: true,
      operations: MEMORY,
    },
    {
      title: 'the official sequential-thinking',
      key: 'thinking',
      command: () => official('sequential-thinking'),
      eras: ['session'],
      remembers: true,
      operations: THINKING,
    },
  ],
  [
    {
      title: 'plain-child, stateless only',
      key: 'plain',
      command: () => fixture('plain-child', '--stateless'),
      eras: ['stateless'],
      operations: PLAIN,
    },
    {
      title: 'everything, asked for sessions',
      key: 'everything',
      command: () => fixture('everything'),
      eras: ['session'],
      settings: { era: 'session' },
      operations: EVERYTHING,
    },
  ],
  [
    {
      // Its first request decides, and the gateway's first one asks for the stateless era.
      title: 'plain-child, either era',
      key: 'plain',
      command: () => fixture('plain-child', '--dual'),
      eras: ['stateless'],
      operations: PLAIN,
    },
    {
      title: 'everything, asked for no sessions',
      key: 'everything',
      command: () => fixture('everything'),
      eras: ['stateless'],
      settings: { era: 'stateless' },
      operations: EVERYTHING,
    },
  ],
  [
    {
      title: 'plain-child over HTTP',
      key: 'plain',
      command: () => fixture('plain-child', '--dual', '--http=0'),
      isRemote: true,
      eras: ['session', 'stateless'],
      operations: PLAIN,
    },
    {
      title: 'everything over HTTP',
      key: 'everything',
      command: () => fixture('everything', '--http=0'),
      isRemote: true,
      eras: ['session', 'stateless'],
      operations: EVERYTHING,
    },
  ],
];
