/**
 * A channel over the pipes of a child process: one message per line. Owns the process until it has
 * ended.
 */

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve as pathTo } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { elementsOf, visibleLine } from '@callsign/core';

import { ownId } from '../stream/own-id.js';
import type { Channel, ChannelEvents, OpenChannel } from '../stream/channel.js';
import { answerId, opensAnswer } from '../stream/edge-id.js';
import { LineReader, type LongLine } from '../stream/line-reader.js';
import { LineWriter } from '../stream/line-writer.js';
import { readFairly } from '../stream/fair-pipe.js';
import { readPrinted } from './printed-lines.js';
import { ChildGroups, GROUP_SPAWN_OPTIONS, isGroupAlive, signalGroup } from './process-group.js';

/** How a child is started and what is done with its output. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Longer lines are not read. Such a line fails the call that it answers, or ends the child if it is no answer. */
  readonly maxMessageBytes: number;
  /** An answer that is longer never ends, so it ends the child. Default: 1 GiB. */
  readonly maxSkippedBytes?: number;
  /** Receives the child's standard error, line by line. */
  readonly onStderr?: (line: string) => void;
  /** Receives the first line on standard output that is not a message, shortened. */
  readonly onStray?: (line: string) => void;
  /** Receives warnings, such as the number of those lines at the end of the output. */
  readonly onNotice?: (message: string) => void;
  /** Ends the child if this process ends first. Default: a watcher for this child alone. */
  readonly groups?: ChildGroups;
  /** How long each step of stopping waits for the child to exit. Default: 1.5 s. */
  readonly stopStepMs?: number;
}

/** Every message is an object: `{`. */
const OBJECT = 123;
/** How long the pipes of a child that has exited are still read. */
const DRAIN_MS = 100;
/** How long a child that closed a pipe may take to exit. Without its pipes it is of no use. */
const HALF_CLOSED_MS = 1_000;
const POLL_MS = 25;
const MAX_SKIPPED = 1024 * 1024 * 1024;

/** Starts nothing yet. The child is started when the returned function is called. */
export function openChild(options: ChildOptions): OpenChannel {
  return (events) => new ChildChannel(options, events);
}

class ChildChannel implements Channel {
  readonly #options: ChildOptions;
  readonly #events: ChannelEvents;
  /** Default: the system could not start it. */
  readonly #child: ChildProcessWithoutNullStreams | undefined;
  readonly #writer: LineWriter | undefined;
  #isClosed = false;
  #hasExited = false;
  #stopped: Promise<void> | undefined;

  constructor(options: ChildOptions, events: ChannelEvents) {
    this.#options = options;
    this.#events = events;
    const child = start(options, (error) => this.#end(startFailure(error, options)));
    if (!child) return;
    this.#child = child;
    this.#writer = new LineWriter(child.stdin);
    this.#readOutput(child);
    this.#watch(child);
  }

  get backlog(): number {
    return this.#writer?.backlog ?? 0;
  }

  send(text: string): void {
    if (!this.#isClosed) this.#writer?.write(text);
  }

  /** Returns false, because a child learns only from a notification that its answer is not needed. */
  abandon(): boolean {
    return false;
  }

  /**
   * Ends the child in steps: end of input, SIGTERM, SIGKILL. It still gets what was sent before,
   * such as cancellations. Resolves when the whole group has
   * ended. `onClose` is not called.
   */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#writer?.end();
    return this.#stop();
  }

  #readOutput({ stdout, stderr }: ChildProcessWithoutNullStreams): void {
    const { maxMessageBytes, onStderr, onStray, onNotice } = this.#options;
    let isWanted = false;
    let skipped = 0;
    const lines = new LineReader({
      maxBytes: maxMessageBytes,
      opening: OBJECT,
      onSkipped: (line) => {
        const batch = batchIn(line);
        for (const text of batch ?? []) {
          if (!this.#isClosed && this.#events.onText(text)) isWanted = true;
        }
        if (!batch && skipped++ === 0) onStray?.(shown(line));
      },
      onLine: (line) => {
        if (!this.#isClosed && this.#events.onText(line)) isWanted = true;
      },
      onTooLong: (line) => {
        if (!this.#refuse(line))
          this.#giveUp(`it sent a line of more than ${maxMessageBytes} bytes`);
      },
    });
    readFairly(stdout, (chunk) => {
      isWanted = false;
      lines.push(chunk);
      // After its exit there is no writer to slow down.
      return isWanted || this.#hasExited;
    });
    stdout.once('end', () => {
      lines.end();
      if (skipped > 1) onNotice?.(`${skipped} lines of its output were not messages`);
      this.#expectEnd('it closed its output');
    });
    readPrinted(stderr, (line) => onStderr?.(line));
  }

  /**
   * Fails the call that the line answers, unless it has ended already. Returns false if the line is no answer, or
   * never ends: no line after it could be read.
   */
  #refuse({ head, tail, bytes, hasEnded }: LongLine): boolean {
    const { maxMessageBytes: limit, maxSkippedBytes = MAX_SKIPPED } = this.#options;
    if (!hasEnded && bytes > maxSkippedBytes) return false;
    const id = ownId(answerId(head, hasEnded ? tail : ''));
    if (id === undefined) return !hasEnded && opensAnswer(head);
    this.#events.onFault?.(id, 'result-too-large', { bytes, limit });
    return true;
  }

  #watch(child: ChildProcessWithoutNullStreams): void {
    const { pid, stdin, stdout, stderr } = child;
    stdin.on('error', () => this.#expectEnd('it closed its input'));
    for (const pipe of [stdout, stderr]) pipe.on('error', () => undefined);
    if (pid === undefined) return;
    const groups = this.#options.groups ?? new ChildGroups();
    const guard = groups.watch(pid);
    // One of its own ends with this child.
    if (groups !== this.#options.groups) groups.close();
    child.once('exit', (code, signal) => {
      this.#hasExited = true;
      const reason = signal ? `it was ended by ${signal}` : `it exited with code ${code}`;
      // Answers that it wrote before it exited must be read before its calls fail.
      const drained = Promise.all([ended(stdout), ended(stderr)]);
      void Promise.race([drained, sleep(DRAIN_MS)])
        .then(() => this.#end(reason))
        // The processes that it started are ended too, even if that failed.
        .finally(() => this.#stop())
        .finally(() => guard.release());
    });
  }

  #stop(): Promise<void> {
    this.#stopped ??= this.#stopGroup();
    return this.#stopped;
  }

  async #stopGroup(): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    const stepMs = this.#options.stopStepMs ?? 1_500;
    await until(() => this.#hasExited, stepMs);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (this.#hasExited && !isGroupAlive(pid)) return;
      signalGroup(pid, signal);
      await until(() => this.#hasExited && !isGroupAlive(pid), stepMs);
    }
  }

  /** The child closed a pipe and is of no use. It is ended if it does not exit soon. */
  #expectEnd(reason: string): void {
    const timer = setTimeout(() => {
      if (!this.#isClosed && !this.#hasExited) this.#giveUp(reason);
    }, HALF_CLOSED_MS);
    timer.unref();
  }

  #giveUp(reason: string): void {
    this.#end(reason);
    if (this.#child?.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL');
  }

  /** Reports the end once, and never after `close`. */
  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#events.onClose(reason);
  }
}

/**
 * The messages of a batch, which servers of version 2025-03-26 may send. `undefined`: the line is
 * something else.
 */
function batchIn(line: Buffer): readonly string[] | undefined {
  const isArray = /^\s*\[\s*\{/.test(line.toString('latin1', 0, 64));
  const elements = isArray ? elementsOf(line.toString('utf8')) : undefined;
  return elements?.every((element) => element.startsWith('{')) ? elements : undefined;
}

/** The beginning of a line, for a message to the operator. */
function shown(line: Buffer): string {
  return visibleLine(line.subarray(0, 400).toString('utf8'), 200);
}

function ended(pipe: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (pipe.readableEnded) resolve();
    else pipe.once('end', () => resolve());
  });
}

/**
 * Starts the process. Errors of the system are reported later, never thrown: callers do not have
 * the channel yet.
 */
function start(
  { command, args, env, cwd }: ChildOptions,
  onFailure: (error: NodeJS.ErrnoException) => void,
): ChildProcessWithoutNullStreams | undefined {
  try {
    const child = spawn(command, args, {
      ...GROUP_SPAWN_OPTIONS,
      env,
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.once('error', onFailure);
    // If there are no file descriptors left, Node returns a child without pipes.
    return (child.stdin as Writable | undefined) ? child : undefined;
  } catch (error) {
    setImmediate(() => onFailure(error as Error));
    return undefined;
  }
}

/** `ENOENT` does not say what is missing: the program or the folder. */
function startFailure(
  { code, message }: NodeJS.ErrnoException,
  { command, cwd }: ChildOptions,
): string {
  if (code === 'ENOENT') {
    if (cwd !== undefined && !existsSync(cwd)) return `its folder ${cwd} does not exist`;
    if (!/[/\\]/.test(command)) return `${command} is not on the PATH`;
    if (!existsSync(pathTo(cwd ?? '.', command))) return `${command} does not exist`;
  }
  return `it could not be started: ${message}`;
}

/** Resolves when the condition holds or the time is up. Keeps this process alive for that long. */
async function until(isSo: () => boolean, ms: number): Promise<void> {
  for (let waited = 0; waited < ms && !isSo(); waited += POLL_MS) await sleep(POLL_MS);
}
