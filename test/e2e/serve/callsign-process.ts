/** The command as users run it: a real process, with its output, its exit code and a client on its pipes. */

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { onTestFinished } from 'vitest';

import { BIN } from '../command.js';
import { LineClient } from './line-client.js';
import { until } from './until.js';
import { fixtureFile } from '../../testing/fixture.js';
import { scratch } from '../../testing/scratch.js';

const path = (fromRoot: string): string =>
  fileURLToPath(new URL(`../../../${fromRoot}`, import.meta.url));

export const PLAIN: string = fixtureFile('plain-child');
export const FAULTY: string = fixtureFile('faulty-child');
export const FILESYSTEM: string = path(
  'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
);

/** A server entry that runs a script with Node. */
export function child(script: string, ...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [script, ...args] };
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = scratch();
  return folder;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export class CallsignProcess {
  readonly process: ChildProcessWithoutNullStreams;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
  stdout = '';
  stderr = '';
  #client: LineClient | undefined;

  /** Runs at most until the end of the test. */
  constructor(args: readonly string[], { cwd, env }: StartOptions = {}) {
    this.process = spawn(process.execPath, [BIN, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
    });
    this.process.stdout.on('data', (chunk: Buffer | string) => (this.stdout += chunk.toString()));
    this.process.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.exited = new Promise((resolve) => this.process.once('close', resolve));
    onTestFinished(() => this.stop());
  }

  /** The client on its pipes. */
  get client(): LineClient {
    return (this.#client ??= new LineClient(this.process.stdout, this.process.stdin));
  }

  /** The address of the HTTP endpoint, once it is open. */
  async url(): Promise<string> {
    const said = (): string | undefined => /listens on (\S+)\/mcp/.exec(this.stderr)?.[1];
    await until(said, { what: 'the address on stderr' });
    return said()!;
  }

  async health(): Promise<Health> {
    const answer = await fetch(`${await this.url()}/healthz`);
    return (await answer.json()) as Health;
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await this.exited;
  }
}

export interface Health {
  readonly status: string;
  readonly config: {
    readonly ok: boolean;
    readonly problems?: readonly { readonly line: number; readonly column: number }[];
  };
  readonly servers: readonly {
    readonly key: string;
    readonly state: { readonly is: string };
    readonly tools: number;
  }[];
}
