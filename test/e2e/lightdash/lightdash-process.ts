/** The real `callsign-lightdash` as a separate process, which ends with the test. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { onTestFinished } from 'vitest';

import { Sandbox } from '@callsign/lightdash/sandbox';

import { ROOT } from '../../architecture/tree.js';

const LIGHTDASH_BIN = join(ROOT, 'packages/lightdash/bin/callsign-lightdash.mjs');

/** What a client or a gateway needs to start the server. */
export interface LightdashEntry {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

export function lightdashEntry(sandbox: Sandbox, ...flags: string[]): LightdashEntry {
  return {
    command: process.execPath,
    args: [LIGHTDASH_BIN, ...flags],
    env: { PATH: process.env['PATH'] ?? '', ...sandbox.environment },
  };
}

export async function startSandbox(): Promise<Sandbox> {
  const sandbox = await Sandbox.start();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

export interface LightdashProcess {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Waits until standard error matches. Returns the first group of the match. */
  said(pattern: RegExp): Promise<string>;
  write(line: string): void;
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number | null>;
}

export function startLightdash(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): LightdashProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [LIGHTDASH_BIN, ...args], { env: { PATH, HOME, ...env } });
  const stdout = collected(child.stdout);
  const stderr = collected(child.stderr);
  child.stdin.on('error', () => undefined);
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return {
    stdout,
    stderr,
    exited,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(stderr());
          if (found) resolve(found[1] ?? found[0]);
        };
        child.stderr.on('data', look);
        void exited.then(() =>
          reject(new Error(`It ended without printing ${pattern}: ${stderr()}`)),
        );
        look();
      }),
    write: (line) => child.stdin.write(`${line}\n`),
    endInput: () => child.stdin.end(),
    kill: (signal) => void child.kill(signal),
  };
}

/** Everything that was read from a stream so far. */
function collected(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}
