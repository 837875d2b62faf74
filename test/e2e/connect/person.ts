/** One person with clients that share a gateway: real processes of `callsign connect`. */

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

import { onTestFinished } from 'vitest';

import {
  sharedGateway,
  type SharedGateway,
} from '../../../packages/cli/src/connect/shared-gateway.js';
import { Home } from '../cli/callsign.js';
import { BIN } from '../command.js';
import { eventually } from '../gateway-process.js';
import { LineClient, type ClientOptions } from '../lifecycle/raw-client.js';

export interface ConnectSetup extends ClientOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly args?: readonly string[];
  /** The file that starts the command. Default: the command under test. */
  readonly bin?: string;
}

export interface Connected {
  readonly client: LineClient;
  readonly process: ChildProcessWithoutNullStreams;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  stderr(): string;
}

export class Person extends Home {
  readonly config: string;

  constructor(servers: Readonly<Record<string, object>>, callsign: object = {}) {
    super();
    this.config = this.write('own.json', JSON.stringify({ mcpServers: servers, callsign }));
    onTestFinished(async () => {
      for (const pid of this.gateways()) kill(pid, 'SIGKILL');
      await eventually(() => this.processes().length === 0);
    });
  }

  get shared(): SharedGateway {
    return sharedGateway(this.config, this.env());
  }

  override env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    // A busy machine may start a gateway slowly.
    return super.env({ CALLSIGN_CONNECT_MS: '60000', CALLSIGN_PERSON: this.folder, ...more });
  }

  /** Starts a client's `callsign connect`, without a handshake. */
  open({
    env = {},
    cwd = this.work,
    args = ['--config', this.config],
    bin = BIN,
    ...options
  }: ConnectSetup = {}): Connected {
    const child = spawn(process.execPath, [bin, 'connect', ...args], {
      cwd,
      env: this.env(env),
      detached: true,
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdin.on('error', () => undefined);
    const client = new LineClient(child.stdout, child.stdin, options);
    const ended = new Promise<number | null>((resolve) => {
      child.once('close', (code) => {
        client.fail('the process has ended');
        resolve(code);
      });
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { client, process: child, ended, stderr: () => said };
  }

  async connect(setup: ConnectSetup = {}): Promise<Connected> {
    const connected = this.open(setup);
    const { error } = await connected.client.handshake();
    if (error) throw new Error(`The handshake failed: ${error.message}`);
    return connected;
  }

  /** The process ids of the gateways in the background. */
  gateways(): number[] {
    return this.processes().filter((pid) =>
      textOf(`/proc/${pid}/cmdline`).includes('--background'),
    );
  }

  /** The processes whose home is this person's. */
  processes(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => textOf(`/proc/${pid}/environ`).split('\0').includes(`HOME=${this.folder}`));
  }

  log(): string {
    return textOf(this.shared.log);
  }
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The process id that the tool `pid` of a plain server returns. */
export async function pidOf(client: LineClient, tool: string): Promise<number> {
  return Number(JSON.stringify(await client.result(tool)).match(/\d{2,}/)?.[0]);
}
