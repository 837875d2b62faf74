/** The real gateway on a plain file, as a process that counts what it does, and a client that makes calls. */

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../../architecture/tree.js';
import { removeFolder } from '../../testing/remove-folder.js';

export interface Counts {
  readonly parses: number;
  readonly parsedLength: number;
  readonly lookUps: number;
  readonly writes: number;
  readonly promises: number;
  readonly timers: number;
  /** Bytes that were allocated, and those that are still there after a collection. */
  readonly allocated: number;
  readonly retained: number;
  /** Bytes that moved to the old generation because they survived two collections. */
  readonly aged: number;
}

export interface Load {
  readonly count: number;
  readonly inFlight: number;
  readonly bytes?: number;
}

type Listener = 'stdio' | 'http';

export interface CountedOptions {
  readonly listener: Listener;
  /** The tool that is called. */
  readonly tool?: 'echo' | 'change';
  /** How many other tools the server has. */
  readonly tools?: number;
}

/** Sends a message. Resolves with the text of its answer. */
type Send = (message: object) => Promise<string>;

interface Connection {
  readonly send: Send;
  end(): void;
}

const HERE = join(ROOT, 'test', 'bench', 'testing');
const BIN = join(ROOT, 'packages', 'cli', 'bin', 'callsign.cjs');
const WARM_UP = 256;

/** The caller stops it. */
export async function startCounted(options: CountedOptions): Promise<CountedGateway> {
  const { listener, tool = 'echo', tools = 10 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'callsign-counts-'));
  const config = join(folder, 'callsign.json');
  const args = [join(HERE, 'counting-child.mjs'), String(tools)];
  const mcpServers = { one: { command: process.execPath, args } };
  writeFileSync(config, JSON.stringify({ mcpServers }));
  const flags = listener === 'stdio' ? ['--stdio'] : ['--http', '0'];
  const gateway = fork(BIN, ['serve', '--config', config, ...flags], {
    execArgv: ['--import', pathToFileURL(join(HERE, 'counters.mjs')).href],
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') },
  });
  const closed = once(gateway, 'close');
  const { send, end } =
    listener === 'stdio' ? overStdio(gateway) : overHttp(await addressOf(gateway));
  const counted = new CountedGateway(gateway, { send, tool }, async () => {
    end();
    gateway.kill('SIGTERM');
    await closed;
    removeFolder(folder);
  });
  await counted.greet();
  await counted.calls({ count: WARM_UP, inFlight: 16 });
  return counted;
}

export class CountedGateway {
  readonly #process: ChildProcess;
  readonly #send: Send;
  readonly #name: string;
  readonly stop: () => Promise<void>;
  #lastId = 0;

  constructor(
    process: ChildProcess,
    { send, tool }: { readonly send: Send; readonly tool: string },
    stop: () => Promise<void>,
  ) {
    this.#process = process;
    this.#send = send;
    this.#name = `one:${tool}`;
    this.stop = stop;
  }

  async greet(): Promise<void> {
    const clientInfo = { name: 'counts', version: '1.0.0' };
    await this.#ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo,
    });
    // The first list is answered when the server has started.
    await this.#ask('tools/list', {});
  }

  /** What the gateway does for one call, as an average over many calls. */
  async perCall(load: Load, how?: 'with allocations'): Promise<Counts> {
    const all = await this.counted(() => this.calls(load), how);
    const shares = Object.entries(all).map(([what, count]) => [what, count / load.count]);
    return Object.fromEntries(shares) as Counts;
  }

  /** What the gateway does while `work` runs. */
  async counted(work: () => Promise<void>, how?: 'with allocations'): Promise<Counts> {
    await this.#tell(how === undefined ? 'start' : `start ${how}`);
    await work();
    return (await this.#tell('stop')) as Counts;
  }

  /** Makes calls in bursts; each burst is answered before the next. */
  async calls({ count, inFlight, bytes = 1 }: Load): Promise<void> {
    const given = { text: 'x'.repeat(bytes) };
    for (let made = 0; made < count; made += inFlight) {
      const burst = Array.from({ length: Math.min(inFlight, count - made) }, () =>
        this.#ask('tools/call', { name: this.#name, arguments: given }),
      );
      for (const answer of await Promise.all(burst)) {
        if (!answer.includes(given.text)) throw new Error(`Not an echo: ${answer.slice(0, 300)}`);
      }
    }
  }

  /** How many messages have reached the server, this question included. */
  async messages(): Promise<number> {
    const answer = await this.#ask('tools/call', { name: 'one:counts', arguments: {} });
    return Number(/"text":"(\d+)"/.exec(answer)?.[1]);
  }

  #ask(method: string, params: object): Promise<string> {
    return this.#send({ jsonrpc: '2.0', id: ++this.#lastId, method, params });
  }

  async #tell(word: string): Promise<unknown> {
    const heard = once(this.#process, 'message');
    this.#process.send(word);
    const [answer] = (await heard) as [unknown];
    return answer;
  }
}

function overStdio({ stdin, stdout }: ChildProcess): Connection {
  const waiting = new Map<string, (answer: string) => void>();
  createInterface({ input: stdout! }).on('line', (line) => {
    const id = /"id":(\d+)/.exec(line)?.[1];
    if (id === undefined) return;
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  let unsent = '';
  const send: Send = (message) =>
    new Promise((resolve) => {
      const { id } = message as { id: number };
      waiting.set(String(id), resolve);
      // A burst is one write, so that the timing of this client does not change the counts.
      if (unsent === '') {
        queueMicrotask(() => {
          stdin!.write(unsent);
          unsent = '';
        });
      }
      unsent += `${JSON.stringify(message)}\n`;
    });
  return { send, end: () => stdin!.end() };
}

function overHttp(url: string): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let session: Record<string, string> = {};
  const send: Send = (message) =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
      };
      const post = request(url, { method: 'POST', agent, headers }, (response) => {
        const id = response.headers['mcp-session-id'];
        if (typeof id === 'string') session = { 'mcp-session-id': id };
        text(response).then(resolve, reject);
      });
      post.once('error', reject).end(JSON.stringify(message));
    });
  return { send, end: () => agent.destroy() };
}

async function addressOf({ stderr }: ChildProcess): Promise<string> {
  let said = '';
  for await (const chunk of stderr!) {
    said += String(chunk);
    const url = /listens on (\S+)\n/.exec(said)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`The gateway did not listen: ${said}`);
}
