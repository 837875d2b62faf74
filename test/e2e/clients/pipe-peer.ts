/** A raw client on a process's pipes. Both eras can share one pipe if the server allows it. */

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';

import { rawMember } from './json-tree.js';
import {
  envelope,
  initializeMembers,
  notificationText,
  requestText,
  STATELESS_VERSION,
  type Answer,
  type ClientOptions,
  type Era,
  type Note,
  type Peer,
  type Question,
} from './peer.js';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A process that reads and writes lines. */
export class Pipe {
  readonly process: ChildProcessWithoutNullStreams;
  stderr = '';
  readonly #listeners = new Set<(line: string) => void>();
  #rest = '';

  constructor({ command, args, env, cwd }: Command) {
    this.process = spawn(command, args, { cwd, env: { ...process.env, ...env } });
    this.process.setMaxListeners(0).stdin.on('error', () => undefined);
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop()!;
      for (const line of lines) for (const listen of this.#listeners) listen(line);
    });
  }

  write(text: string | Buffer): void {
    this.process.stdin.write(text);
  }

  onLine(listener: (line: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The next line that a test accepts. */
  line(accept: (line: string) => boolean, ms: number = 90_000): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`No such line came. ${this.stderr}`));
      const timer = setTimeout(fail, ms);
      this.process.once('exit', fail);
      const stop = this.onLine((line) => {
        if (!accept(line)) return;
        clearTimeout(timer);
        this.process.off('exit', fail);
        stop();
        resolve(line);
      });
    });
  }

  /** The match of a pattern in standard error, as soon as there is one. */
  async said(pattern: RegExp, ms: number = 90_000): Promise<string> {
    for (let waited = 0; waited < ms && !this.hasExited; waited += 20) {
      const found = pattern.exec(this.stderr)?.[1];
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`It did not print ${pattern}: ${this.stderr}`);
  }

  get hasExited(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  async close(): Promise<void> {
    if (this.hasExited) return;
    const gone = once(this.process, 'exit');
    this.process.stdin.end();
    await gone;
  }
}

let newestId = 100;

export class PipePeer implements Peer {
  readonly era: Era;
  readonly pipe: Pipe;
  readonly notes: Note[] = [];
  readonly #client: ClientOptions;
  /** The id of the latest request. */
  lastId = '';
  #questions: Question[] = [];

  constructor(pipe: Pipe, era: Era, client: ClientOptions = {}) {
    this.pipe = pipe;
    this.era = era;
    this.#client = client;
    pipe.onLine((line) => void this.#hear(line));
  }

  async open(): Promise<Answer> {
    if (this.era === 'stateless') return this.request('server/discover');
    const answer = await this.request('initialize', initializeMembers(this.#client));
    await this.notify('notifications/initialized');
    return answer;
  }

  async request(method: string, members = '', meta = ''): Promise<Answer> {
    const id = String(++newestId);
    this.lastId = id;
    const before = this.notes.length;
    this.#questions = [];
    const answered = this.pipe.line((line) => isAnswerTo(line, id), 20_000);
    this.pipe.write(`${requestText(id, method, members, this.#meta(meta))}\n`);
    const text = await answered;
    return {
      text,
      result: rawMember(text, 'result'),
      error: rawMember(text, 'error'),
      notes: this.notes.slice(before),
      questions: this.#questions,
    };
  }

  async notify(method: string, members = ''): Promise<void> {
    const meta = this.era === 'stateless' ? `"_meta":{${envelope(this.#client)}}` : '';
    this.pipe.write(`${notificationText(method, [members, meta].filter(Boolean).join(','))}\n`);
  }

  close(): Promise<void> {
    return this.pipe.close();
  }

  #meta(meta: string): string {
    if (this.era === 'session') return meta;
    return [meta, envelope(this.#client, STATELESS_VERSION)].filter(Boolean).join(',');
  }

  async #hear(line: string): Promise<void> {
    const message = JSON.parse(line) as { id?: unknown; method?: string };
    if (message.method === undefined) return;
    const note = { method: message.method, params: rawMember(line, 'params') };
    if (message.id === undefined) this.notes.push(note);
    else if (this.era === 'session') {
      this.#questions.push(note);
      const { answer, refuse } = this.#client;
      const said = refuse
        ? `"error":${refuse(note)}`
        : `"result":${(await answer?.(note)) ?? '{}'}`;
      this.pipe.write(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},${said}}\n`);
    }
  }
}

function isAnswerTo(line: string, id: string): boolean {
  return rawMember(line, 'id') === id && rawMember(line, 'method') === undefined;
}
