/** The servers that are compared, and how each of them is reached. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

export interface Subject {
  readonly title: string;
  /** A new server, with its own memory where it has one. */
  readonly command: () => Command;
  /** The eras in which the gateway talks to it. */
  readonly eras: readonly Era[];
  /** Whether answers depend on the calls before, so that each gateway needs a server to compare with. */
  readonly remembers?: true;
  /** What the gateway is told of it. */
  readonly settings?: object;
  readonly operations: readonly Operation[];
}

const folder = mkdtempSync(join(tmpdir(), 'callsign-differential-'));

export function setUpSubjects(): void {
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  writeFileSync(join(folder, 'dot.png'), Buffer.from('iVBORw0KGgo=', 'base64'));
}

export function tearDownSubjects(): void {
  rmSync(folder, { recursive: true, force: true });
}

let memories = 0;

export const SUBJECTS: readonly Subject[] = [
  {
    title: 'plain-child, sessions only',
    command: () => fixture('plain-child'),
    eras: ['session'],
    operations: PLAIN,
  },
  {
    title: 'plain-child, stateless only',
    command: () => fixture('plain-child', '--stateless'),
    eras: ['stateless'],
    operations: PLAIN,
  },
  {
    // Its first request decides, and the gateway's first one asks for the stateless era.
    title: 'plain-child, either era',
    command: () => fixture('plain-child', '--dual'),
    eras: ['stateless'],
    operations: PLAIN,
  },
  {
    title: 'everything, both eras',
    command: () => fixture('everything'),
    eras: ['session', 'stateless'],
    operations: EVERYTHING,
  },
  {
    title: 'everything, asked for sessions',
    command: () => fixture('everything'),
    eras: ['session'],
    settings: { era: 'session' },
    operations: EVERYTHING,
  },
  {
    title: 'everything, asked for no sessions',
    command: () => fixture('everything'),
    eras: ['stateless'],
    settings: { era: 'stateless' },
    operations: EVERYTHING,
  },
  {
    title: 'the official everything',
    command: () => official('everything', ['stdio']),
    eras: ['session'],
    operations: OFFICIAL_EVERYTHING,
  },
  {
    title: 'the official filesystem',
    command: () => official('filesystem', [folder]),
    eras: ['session'],
    operations: filesystem(folder),
  },
  {
    title: 'the official memory',
    command: () =>
      official('memory', [], { MEMORY_FILE_PATH: join(folder, `.memory-${++memories}.jsonl`) }),
    eras: ['session'],
    remembers: true,
    operations: MEMORY,
  },
  {
    title: 'the official sequential-thinking',
    command: () => official('sequential-thinking'),
    eras: ['session'],
    remembers: true,
    operations: THINKING,
  },
];
