/** The `callsign` command with its own home folder: in this process, in one of its own, and in a terminal. */

import { spawn } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';

import { main, type Shell } from 'mcp-callsign';
import { onTestFinished } from 'vitest';

import { acceptConfig } from '../../../packages/cli/src/command/accepted-configs.js';
import { ROOT } from '../../architecture/tree.js';
import { BIN } from '../command.js';
import { temporaryFolder, type Finally, type ServerEntry } from '../gateway-process.js';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The current folder. Default: the working folder. */
  readonly cwd?: string;
}

export interface HereOptions extends RunOptions {
  /** The width of a terminal that shows both outputs. Default: they are not shown by one. */
  readonly columns?: number;
}

/** A home folder and a working folder in it. Both are empty at first and removed after the test. */
export class Home {
  readonly folder: string;
  readonly work: string;

  constructor(later: Finally = onTestFinished) {
    this.folder = realpathSync(temporaryFolder(later));
    this.work = join(this.folder, 'work');
    mkdirSync(this.work);
    later(() => this.#endGateways());
  }

  /** A client of the test may have started a gateway in the background, which outlives it. */
  #endGateways(): void {
    const run = join(this.folder, 'state', 'callsign', 'run');
    const isFolder = statSync(run, { throwIfNoEntry: false })?.isDirectory();
    const names = isFolder ? readdirSync(run) : [];
    if (!names.some((name) => name.endsWith('.gw'))) return;
    for (const name of names.filter((each) => each.endsWith('.sock'))) {
      try {
        process.kill(Number.parseInt(name, 10), 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
  }

  /** Writes a file, by its path from the home folder. */
  write(path: string, text: string): string {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (file === join(this.work, 'callsign.json')) this.accept(file);
    return file;
  }

  /** Accepts a configuration of the working folder, as `callsign config accept` does. */
  accept(file: string): void {
    acceptConfig(file, readFileSync(file), this.env());
  }

  /** Writes the configuration of the working folder. */
  configure(
    servers: Readonly<Record<string, ServerEntry | object>>,
    callsign: object = {},
  ): string {
    const text = JSON.stringify({ mcpServers: servers, callsign }, null, 2);
    return this.write('work/callsign.json', `${text}\n`);
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const state = join(this.folder, 'state');
    const { PATH = '' } = process.env;
    // No test writes into the keychain of the person who runs it.
    const keychain = { CALLSIGN_KEYCHAIN: 'off' };
    return { PATH, HOME: this.folder, XDG_STATE_HOME: state, TERM: 'xterm', ...keychain, ...more };
  }

  /** Runs the command in this process and waits for its end. */
  async run(
    args: readonly string[],
    { env = {}, input = '', cwd = this.work, columns }: HereOptions = {},
  ): Promise<Ended> {
    const said = { stdout: '', stderr: '' };
    const shell: Shell = {
      stdin: Readable.from(Buffer.from(input)) as NodeJS.ReadStream,
      stdout: collector((text) => (said.stdout += text), columns),
      stderr: collector((text) => (said.stderr += text), columns),
      isTyped: false,
      env: this.env(env),
      cwd,
      script: BIN,
    };
    return { code: await main(args, shell), ...said };
  }

  /** Runs the command as a process of its own and waits for its end. */
  spawn(
    args: readonly string[],
    { env = {}, input = '', cwd = this.work }: RunOptions = {},
  ): Promise<Ended> {
    const options = { cwd, env: this.env(env) };
    const child = spawn(process.execPath, [BIN, ...args], options);
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    child.stdin.on('error', () => undefined).end(input);
    return new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, ...said }));
    });
  }

  /** Runs a shell line in which `callsign` is the command under test. */
  shell(line: string, more: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const script = `callsign() { "${process.execPath}" "${BIN}" "$@"; }\n${line}`;
    const child = spawn('bash', ['-c', script], { cwd: this.work, env: this.env(more) });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    return new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, ...said }));
    });
  }

  /** The text with HOME in place of the home folder, so that it is the same in every run. */
  tidy(text: string): string {
    return text.replaceAll(this.folder, '/HOME').replaceAll(ROOT, '/ROOT');
  }

  terminal(args: readonly string[], options: TerminalOptions = {}): Terminal {
    return new Terminal(this, args, options);
  }
}

function collector(take: (text: string) => void, columns?: number): NodeJS.WriteStream {
  const stream = new Writable({
    decodeStrings: false,
    write(text: string | Buffer, _encoding, done) {
      take(String(text));
      done();
    },
  });
  return Object.assign(stream, { isTTY: columns !== undefined, columns }) as NodeJS.WriteStream;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The command in a pseudo-terminal, with typed input. */
export class Terminal {
  readonly ended: Promise<number | null>;
  /** The whole output so far, with its escape sequences. */
  screen = '';
  readonly #child;
  readonly #waiting = new Set<() => void>();

  constructor(home: Home, args: readonly string[], { columns = 100, env = {} }: TerminalOptions) {
    const words = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ');
    const line = `stty cols ${columns} rows 40; exec ${words}`;
    const options = { cwd: home.work, env: home.env({ SHELL: '/bin/bash', ...env }) };
    this.#child = spawn('script', ['-qec', line, '/dev/null'], options);
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.screen += text;
      for (const look of this.#waiting) look();
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code) => {
        for (const look of this.#waiting) look();
        resolve(code);
      });
    });
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  /** Resolves as soon as the screen shows it. */
  shows(pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!pattern.test(this.screen)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      void this.ended.then(() => reject(new Error(`It ended without ${pattern}: ${this.screen}`)));
      look();
    });
  }

  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Whether the line was erased after the last time that it showed this text. */
  wasCleared(text: string): boolean {
    return this.screen.lastIndexOf('\x1b[2K') > this.screen.lastIndexOf(text);
  }

  /** The output without escape sequences. */
  get text(): string {
    return unpainted(this.screen).replace(/\r/g, '');
  }
}

/** Without escape sequences. */
export function unpainted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/\x1b\[[\d;?]*[A-Za-z]/g, '');
}
