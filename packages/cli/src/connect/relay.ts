/** Passes lines between a client and its gateway, and goes on with another gateway if this one ends. */

import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

import { EXIT } from '../command/exit-code.js';
import type { Shell } from '../command/shell.js';
import { ClientState, messagesIn } from './client-state.js';
import { readLine } from './read-line.js';

/** More ends of gateways than this in a minute are no accident. */
const MAX_REPAIRS = 5;
const MINUTE_MS = 60_000;
const NEWLINE = 10;

const LOST =
  'The gateway ended while this request was under way. It is not known whether it took effect.';
/** The new gateway has ended as well. */
const ENDED = Symbol('ended');
/** In the range that JSON-RPC leaves to servers. */
const SERVER_ERROR = -32_000;

export class Relay {
  readonly #shell: Shell;
  /** Reaches a gateway, or says why not. */
  readonly #reach: () => Promise<Socket | string>;
  readonly #state = new ClientState();
  readonly #input = new WholeLines();
  readonly #output = new WholeLines();
  #socket: Socket | undefined;
  /** The gateway has said goodbye. It still answers what it was asked before. */
  #isLeft = false;
  /** Lines that came while there was no gateway. */
  readonly #waiting: Buffer[] = [];
  /** Ids of requests that we have repeated. The client does not know them. */
  readonly #own = new Set<string>();
  #ownIds = 0;
  #repairs: number[] = [];
  #isInputEnded = false;
  #isStopped = false;
  #end: (code: number) => void = () => undefined;

  constructor(shell: Shell, reach: () => Promise<Socket | string>) {
    this.#shell = shell;
    this.#reach = reach;
  }

  /** Resolves when the client has left, or no gateway can be reached any more. */
  run(socket: Socket): Promise<number> {
    const { stdin, stdout } = this.#shell;
    const ended = new Promise<number>((resolve) => {
      this.#end = resolve;
    });
    this.#use(socket);
    stdin.on('data', (chunk: Buffer) => this.#fromClient(chunk));
    const leave = (): void => {
      if (this.#isInputEnded) return;
      // The last line may have no newline.
      if (!this.#input.isEmpty) this.#fromClient(Buffer.from('\n'));
      this.#isInputEnded = true;
      // The gateway answers what is open, and closes its end.
      if (this.#socket) this.#socket.end();
      else this.#end(EXIT.ok);
    };
    stdin.once('end', leave).once('error', leave).once('close', leave);
    stdout.on('error', () => this.#end(EXIT.ok));
    return ended.finally(() => {
      this.#socket?.destroy();
      stdin.destroy();
    });
  }

  #fromClient(chunk: Buffer): void {
    const lines = this.#input.push(chunk);
    if (!lines) return;
    if (!this.#socket || this.#isLeft) {
      this.#waiting.push(lines);
      this.#shell.stdin.pause();
      if (!this.#socket && this.#isStopped) void this.#repair();
    } else this.#send(lines, this.#socket);
  }

  #send(lines: Buffer, socket: Socket): void {
    for (const line of linesOf(lines)) this.#state.fromClient(line);
    pass(lines, socket, this.#shell.stdin);
  }

  #use(socket: Socket): void {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      const lines = this.#output.push(chunk);
      if (!lines) return;
      const goodbye = goodbyeIn(lines);
      if (goodbye) {
        this.#isStopped = goodbye.isStopped;
        this.#isLeft = true;
        socket.end();
      }
      const rest = goodbye?.rest ?? lines;
      const shown = this.#own.size === 0 ? rest : this.#withoutOwn(rest);
      for (const line of linesOf(shown)) this.#state.fromGateway(line);
      pass(shown, this.#shell.stdout, socket);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#socket = undefined;
      this.#isLeft = false;
      this.#output.clear();
      if (this.#isInputEnded) {
        this.#end(EXIT.ok);
        return;
      }
      // A person has stopped it. The next message of the client starts it again.
      if (this.#isStopped) {
        this.#sayLost(this.#state.takeLost());
        // It may have been paused until the socket took more.
        this.#shell.stdin.resume();
      }
      if (!this.#isStopped || this.#state.isGreeting || this.#waiting.length > 0)
        void this.#repair();
    });
  }

  #sayLost(ids: readonly string[], message = LOST): void {
    for (const id of ids) {
      this.#say({ id: JSON.parse(id) as unknown, error: { code: SERVER_ERROR, message } });
    }
  }

  async #repair(): Promise<void> {
    const lost = this.#state.takeLost();
    this.#isStopped = false;
    // The new gateway may end too, before it has answered.
    let failure: string | undefined | typeof ENDED = ENDED;
    while (failure === ENDED) failure = await this.#next();
    this.#sayLost(lost);
    if (failure !== undefined) {
      this.#shell.stderr.write(`callsign: ${failure}\n`);
      // Those that wait were never sent.
      for (const lines of this.#waiting.splice(0)) {
        for (const line of linesOf(lines)) this.#state.fromClient(line);
      }
      this.#sayLost(this.#state.takeAll(), failure);
      this.#end(EXIT.unreachable);
      return;
    }
    for (const kind of ['tools', 'prompts', 'resources']) {
      if (kind in (this.#state.agreed?.capabilities ?? {})) {
        this.#say({ method: `notifications/${kind}/list_changed` });
      }
    }
    this.#shell.stdin.resume();
    // If this gateway has ended too, they wait for the next one.
    const socket = this.#socket;
    if (socket) for (const lines of this.#waiting.splice(0)) this.#send(lines, socket);
  }

  /** Goes on with another gateway. Returns why it cannot. */
  async #next(): Promise<string | undefined | typeof ENDED> {
    const now = Date.now();
    this.#repairs = [...this.#repairs.filter((at) => now - at < MINUTE_MS), now];
    if (this.#repairs.length > MAX_REPAIRS) return 'The gateway ended several times in a minute.';
    const reached = await this.#reach();
    return typeof reached === 'string' ? reached : await this.#resume(reached);
  }

  /** Repeats what the client has said. Returns why this gateway cannot be used. */
  async #resume(socket: Socket): Promise<string | undefined | typeof ENDED> {
    const { initialize, agreed } = this.#state;
    // Without an answer, the client still waits for it: see `repeated`.
    if (initialize && agreed) {
      socket.write(`${initialize.line}\n`);
      const answer = await firstMessage(socket);
      if (answer === undefined) {
        socket.destroy();
        return ENDED;
      }
      const { result } = answer as { result?: { protocolVersion?: unknown } };
      if (!result) return 'The new gateway did not accept the client.';
      if (result.protocolVersion !== agreed.version) {
        socket.destroy();
        return 'The new gateway speaks another version of the protocol. Restart the client.';
      }
    }
    this.#use(socket);
    const own = (): string => {
      const id = `callsign-connect-${++this.#ownIds}`;
      this.#own.add(JSON.stringify(id));
      return id;
    };
    for (const line of this.#state.repeated(own)) socket.write(`${line}\n`);
    return undefined;
  }

  /** Leaves out the answers to requests that we have repeated. */
  #withoutOwn(lines: Buffer): Buffer {
    const others = [...linesOf(lines)].filter((line) => {
      const [message] = messagesIn(line);
      return message?.method !== undefined || !this.#own.delete(message?.id ?? '');
    });
    return Buffer.concat(others.flatMap((line) => [line, Buffer.from('\n')]));
  }

  #say(message: object): void {
    this.#shell.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** A gateway that ends says this to `connect`. It is not for the client. */
export function goodbyeLine(isStopped: boolean): string {
  return `${GOODBYE}${isStopped ? 'stopped' : 'again'}"}\n`;
}

const GOODBYE = '{"callsign":"';

interface Goodbye {
  readonly isStopped: boolean;
  /** The lines without it. */
  readonly rest: Buffer;
}

/** No line of a message ends with this text, unless it is the whole line. */
function goodbyeIn(lines: Buffer): Goodbye | undefined {
  for (const isStopped of [true, false]) {
    const line = goodbyeLine(isStopped);
    const at = lines.indexOf(line);
    if (at === -1) continue;
    const rest = Buffer.concat([lines.subarray(0, at), lines.subarray(at + line.length)]);
    return { isStopped, rest };
  }
  return undefined;
}

/** Stops reading while the other side does not read. */
function pass(lines: Buffer, to: Writable, from: Readable): void {
  if (lines.length === 0 || to.write(lines)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

/** The first message that a gateway sends; `undefined` if it leaves. */
async function firstMessage(socket: Socket): Promise<unknown> {
  const line = await readLine(socket, Infinity);
  if (line === undefined || goodbyeIn(Buffer.from(`${line}\n`))) return undefined;
  const [message] = messagesIn(Buffer.from(line));
  return message;
}

/** Cuts a byte stream after its last newline, so that only whole lines are passed on. */
class WholeLines {
  #rest: Buffer[] = [];

  /** The whole lines up to here, with their newlines; `undefined` if there is none. */
  push(chunk: Buffer): Buffer | undefined {
    const at = chunk.lastIndexOf(NEWLINE);
    if (at === -1) {
      this.#rest.push(chunk);
      return undefined;
    }
    const whole = chunk.subarray(0, at + 1);
    const lines = this.#rest.length === 0 ? whole : Buffer.concat([...this.#rest, whole]);
    this.#rest = at + 1 === chunk.length ? [] : [chunk.subarray(at + 1)];
    return lines;
  }

  /** Whether no line has begun. */
  get isEmpty(): boolean {
    return this.#rest.length === 0;
  }

  /** Forgets the beginning of a line that will not end. */
  clear(): void {
    this.#rest = [];
  }
}

/** Each line without its newline. Empty ones are left out. */
function* linesOf(lines: Buffer): Generator<Buffer> {
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(NEWLINE, start);
    if (end > start) yield lines.subarray(start, end);
    start = end + 1;
  }
}
