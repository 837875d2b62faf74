/**
 * The real `callsign serve` as a separate process with its own configuration. It ends with the
 * test.
 */

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { BIN } from './command.js';
import { HttpClient } from './lifecycle/http-client.js';
import { descendantsOf, peakMegabytes, processesWith } from './lifecycle/processes.js';
import { LineClient, type ClientOptions, type RawClient } from './lifecycle/raw-client.js';
import { until } from './serve/until.js';
import { fixtureFile } from '../testing/fixture.js';
import { removeFolder } from '../testing/remove-folder.js';

export type { ClientOptions, RawClient } from './lifecycle/raw-client.js';

export interface ServerEntry {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface GatewaySetup {
  /** The block `mcpServers`. */
  readonly servers: Readonly<Record<string, ServerEntry>>;
  /** The block `callsign`. */
  readonly settings?: object;
  readonly listener?: 'stdio' | 'http';
  /** Flags besides those that the listener needs. */
  readonly flags?: readonly string[];
  /** Variables of the gateway itself, besides `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>;
  /** An existing configuration, instead of one made from the above. */
  readonly config?: string;
  /** A command that runs the gateway. The gateway's own command line follows as its arguments. */
  readonly through?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Marks the processes of a test's gateway. Children pass it on to theirs. */
const MARK = 'CALLSIGN_TEST_RUN';

/** A well-behaved child. */
export function plain(...flags: string[]): ServerEntry {
  return { command: process.execPath, args: [fixtureFile('plain-child'), ...flags] };
}

/** A child that misbehaves. */
export function faulty(mode: string, ...flags: string[]): ServerEntry {
  const script = fixtureFile('faulty-child');
  return { command: process.execPath, args: [script, `--mode=${mode}`, ...flags] };
}

/** A child that speaks both eras, made with the official SDK. */
export function everything(...flags: string[]): ServerEntry {
  return { command: process.execPath, args: [fixtureFile('everything'), ...flags] };
}

/** Runs a function after the test. Tests that run at the same time each have their own list. */
export type Finally = (work: () => void | Promise<void>) => void;

/** A folder that is removed after the test. */
export function temporaryFolder(later: Finally = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-'));
  later(() => removeFolder(folder));
  return folder;
}

/** How to run the gateway itself, for tests that put one behind another. */
export function gatewayEntry(config: string): ServerEntry {
  return { command: process.execPath, args: [BIN, 'serve', '--config', config] };
}

/**
 * Writes a configuration that marks all child processes, so that the test finds them. Returns the
 * file.
 */
export function writeConfig(
  { servers, settings }: Pick<GatewaySetup, 'servers' | 'settings'>,
  mark: string,
  file: string = join(temporaryFolder(), 'callsign.json'),
): string {
  const marked = Object.entries(servers).map(([key, server]) => {
    return [key, { ...server, env: { [MARK]: mark, ...server.env } }];
  });
  // Otherwise calls of tools that may change something would wait for the disk. Tests about that
  // set it themselves.
  // A busy machine may start servers slowly, and the first list must be complete.
  const callsign = { audit: { mode: 'off' }, listWaitMs: 60_000, ...settings };
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(marked), callsign }));
  return file;
}

/** Starts a gateway; with an HTTP listener it is listening when this resolves. */
export async function startGateway(
  setup: GatewaySetup,
  later: Finally = onTestFinished,
): Promise<GatewayProcess> {
  const gateway = new GatewayProcess(setup, temporaryFolder(later));
  later(() => gateway.stop());
  if (setup.listener === 'http') await gateway.listening();
  return gateway;
}

export class GatewayProcess {
  /** The value of the variable that marks its children, for configurations of further gateways. */
  readonly mark: string = randomUUID();
  readonly config: string;
  readonly exited: Promise<Exit>;
  /** Its whole standard error so far. */
  stderr = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #isHttp: boolean;
  readonly #clients: RawClient[] = [];
  #exit: Exit | undefined;

  constructor(setup: GatewaySetup, folder: string) {
    const { listener = 'stdio', flags = [], env = {}, through = [] } = setup;
    this.#isHttp = listener === 'http';
    this.config = setup.config ?? writeConfig(setup, this.mark, join(folder, 'callsign.json'));
    const doorFlags = listener === 'http' ? ['--http', '0'] : ['--stdio'];
    const serve = [BIN, 'serve', '--config', this.config, ...doorFlags, ...flags];
    const [command = process.execPath, ...args] = [...through, process.execPath, ...serve];
    const { PATH = '', HOME = '', XDG_STATE_HOME = '' } = process.env;
    const own = { PATH, HOME, XDG_STATE_HOME, [MARK]: this.mark };
    this.#child = spawn(command, args, { env: { ...own, ...env } });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.#child.stdin.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        this.#exit = { code, signal };
        for (const client of this.#clients) client.fail(this.#whyGone());
        resolve(this.#exit);
      });
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get hasExited(): boolean {
    return this.#exit !== undefined;
  }

  /** The address of the HTTP listener. */
  get url(): string {
    return /listens on (http:\S+)/.exec(this.stderr)?.[1] ?? '';
  }

  async listening(): Promise<void> {
    await eventually(() => this.url !== '' || this.hasExited);
    if (this.url === '') throw new Error(`The gateway did not listen: ${this.stderr}`);
  }

  /** A client after its handshake; on stdio there is only one. */
  async connect(options: ClientOptions = {}): Promise<RawClient> {
    const client = this.open(options);
    const { error } = await client.handshake();
    if (error) throw new Error(`The handshake failed: ${error.message}`);
    return client;
  }

  /** A client before its handshake. */
  open(options: ClientOptions = {}): RawClient {
    const { stdin, stdout } = this.#child;
    const client = this.#isHttp
      ? new HttpClient(this.url, options)
      : new LineClient(stdout, stdin, options);
    this.#clients.push(client);
    if (this.hasExited) client.fail(this.#whyGone());
    return client;
  }

  #whyGone(): string {
    return `The gateway has exited with ${this.#exit?.code ?? this.#exit?.signal}: ${this.stderr}`;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends its standard input. */
  endInput(): void {
    this.#child.stdin.end();
  }

  /** Every process that it has started, directly or not, and that is still there. */
  processes(): number[] {
    // After its end, another process may get its id.
    const descendants = this.hasExited ? [] : descendantsOf(this.pid);
    const all = new Set([...descendants, ...processesWith(`${MARK}=${this.mark}`)]);
    return [...all].filter((pid) => pid !== this.pid);
  }

  peakMegabytes(): number {
    return peakMegabytes(this.pid);
  }

  /** The state of a server in `/healthz`. */
  async stateOf(key: string): Promise<Record<string, unknown> | undefined> {
    const response = await fetch(new URL('/healthz', this.url));
    const { servers } = (await response.json()) as { servers: Record<string, unknown>[] };
    return servers.find((server) => server['key'] === key);
  }

  /** Ends it, and every process that it should have ended itself. */
  async stop(): Promise<void> {
    for (const client of this.#clients) client.close();
    if (!this.hasExited) {
      const left = this.processes();
      this.kill('SIGKILL');
      await this.exited;
      for (const pid of left) endProcess(pid);
    }
    for (const pid of this.processes()) endProcess(pid);
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Waits until a condition holds. Fails if it never does. */
export function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  return until(isSo);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
