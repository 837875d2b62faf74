/** A program in a thread of its own. It can be ended at any time, even inside of a loop. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

import type { FromProgram, ToProgram } from './program-worker.js';
import { type Given, type Program, ProgramError, type ProgramStart, type Step } from './steps.js';

const HEAP_MB = 64;
/** How much longer than its time a program may compute, before its thread is ended. */
const GRACE_MS = 500;

/** A thread with its engine, for one program. */
interface Thread {
  readonly worker: Worker;
  readonly memoryBytes: number;
  /** Resolves when the engine is loaded, or when the thread has ended. */
  readonly loaded: Promise<void>;
}

/**
 * Starts programs, each in a thread of its own. Loading an engine takes longer than most programs, so one more thread is
 * always loaded.
 */
export class ProgramThreads {
  #spare: Thread | undefined;
  #isClosed = false;

  start(start: ProgramStart): Program {
    const { memoryBytes } = start.limits;
    this.prepare(memoryBytes);
    const thread = this.#spare ?? newThread(memoryBytes);
    this.#spare = undefined;
    this.prepare(memoryBytes);
    return new ThreadProgram(thread, start);
  }

  /** Loads a thread for the next program, unless there is one. */
  prepare(memoryBytes: number): void {
    if (this.#isClosed || this.#spare?.memoryBytes === memoryBytes) return;
    void keepCompiled();
    void this.#spare?.worker.terminate();
    const thread = newThread(memoryBytes);
    this.#spare = thread;
    // One that cannot be loaded is not used. The program that needs one then tells why.
    thread.worker.once('exit', () => {
      if (this.#spare === thread) this.#spare = undefined;
    });
  }

  close(): void {
    this.#isClosed = true;
    void this.#spare?.worker.terminate();
    this.#spare = undefined;
  }
}

let compiled: Promise<WebAssembly.Module | undefined> | undefined;

/**
 * Keeps the compiled code of the engine. While one thread has it, V8 gives it to all others that load the same file, so that
 * they begin within milliseconds.
 */
function keepCompiled(): Promise<WebAssembly.Module | undefined> {
  const { resolve } = createRequire(import.meta.url);
  const file = resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm');
  // If it fails, the threads fail too, and say why.
  compiled ??= readFile(file)
    .then((bytes) => WebAssembly.compile(bytes))
    .catch(() => undefined);
  return compiled;
}

function newThread(memoryBytes: number): Thread {
  const worker = new Worker(workerFile(import.meta.url), {
    workerData: memoryBytes,
    execArgv: [],
    // Neither variables nor output of the gateway.
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  worker.unref();
  // Without a listener, an error would end the gateway.
  worker.on('error', () => undefined);
  const loaded = new Promise<void>((resolve) => {
    worker.once('message', () => resolve());
    worker.once('exit', () => resolve());
  });
  return { worker, memoryBytes, loaded };
}

class ThreadProgram implements Program {
  readonly #start: ProgramStart;
  readonly #worker: Worker;
  /** That time is not the program's. */
  readonly #loaded: Promise<void>;
  #leftMs: number;
  #asked: { resolve(step: Step): void; reject(error: Error): void } | undefined;
  #hasEnded: Error | undefined;

  constructor({ worker, loaded }: Thread, start: ProgramStart) {
    this.#start = start;
    this.#worker = worker;
    this.#loaded = loaded;
    this.#leftMs = start.limits.computeMs + GRACE_MS;
    worker.on('message', (answer: FromProgram) => {
      if (answer === 'ready') return undefined;
      const asked = this.#asked;
      this.#asked = undefined;
      if ('step' in answer) return asked?.resolve(answer.step);
      return asked?.reject(new ProgramError(answer.broken));
    });
    worker.once('error', (error) => this.#end(`The program failed: ${String(error)}`));
    worker.once('exit', () => this.#end('The program was stopped.'));
  }

  begin(): Promise<Step> {
    return this.#ask(this.#start);
  }

  give(n: number, given: Given, now: number): Promise<Step> {
    return this.#ask([n, given, now]);
  }

  stop(): void {
    void this.#worker.terminate();
  }

  async #ask(message: ToProgram): Promise<Step> {
    await this.#loaded;
    if (this.#hasEnded) throw this.#hasEnded;
    // The engine looks at the time too, but not within one long operation, such as a copy of its whole memory.
    const late = setTimeout(() => {
      this.#end(
        `The program computed for more than ${this.#start.limits.computeMs / 1000} s, and was stopped.`,
      );
      this.stop();
    }, this.#leftMs);
    const begun = performance.now();
    try {
      return await new Promise((resolve, reject) => {
        this.#asked = { resolve, reject };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
        this.#worker.postMessage(message);
      });
    } finally {
      clearTimeout(late);
      this.#leftMs -= performance.now() - begun;
    }
  }

  #end(why: string): void {
    this.#hasEnded ??= new ProgramError(why);
    this.#asked?.reject(this.#hasEnded);
    this.#asked = undefined;
  }
}

/** From the sources the built thread is used, since Node cannot run TypeScript. A bundle has it beside its own files. */
function workerFile(own: string): URL {
  const name = 'program-worker.js';
  return own.endsWith('.ts')
    ? new URL(`../../../dist/scripts/program/${name}`, own)
    : new URL(`./${name}`, own);
}
