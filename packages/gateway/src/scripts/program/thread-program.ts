/** A program in a thread of its own. It can be ended at any time, even inside of a loop. */

import { Worker } from 'node:worker_threads';

import type { FromProgram, ToProgram } from './program-worker.js';
import { type Given, type Program, ProgramError, type ProgramStart, type Step } from './steps.js';

const HEAP_MB = 64;
/** How much longer than its time a program may compute, before its thread is ended. */
const GRACE_MS = 500;

export class ThreadProgram implements Program {
  readonly #worker: Worker;
  readonly #computeMs: number;
  /** Resolves when the engine is loaded. That time is not the program's. */
  readonly #ready: Promise<void>;
  #leftMs: number;
  #asked: { resolve(step: Step): void; reject(error: Error): void } | undefined;
  #hasEnded: Error | undefined;

  constructor(start: ProgramStart) {
    this.#computeMs = start.limits.computeMs;
    this.#leftMs = this.#computeMs + GRACE_MS;
    let isReady!: () => void;
    this.#ready = new Promise((resolve) => {
      isReady = resolve;
    });
    this.#worker = new Worker(workerFile(import.meta.url), {
      workerData: start,
      execArgv: [],
      // Neither variables nor output of the gateway.
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', (answer: FromProgram) => {
      if (answer === 'ready') return isReady();
      const asked = this.#asked;
      this.#asked = undefined;
      if ('step' in answer) return asked?.resolve(answer.step);
      return asked?.reject(new ProgramError(answer.broken));
    });
    const end = (why: string): void => {
      this.#end(why);
      isReady();
    };
    this.#worker.once('error', (error) => end(`The program failed: ${String(error)}`));
    this.#worker.once('exit', () => end('The program was stopped.'));
  }

  begin(): Promise<Step> {
    return this.#ask(undefined);
  }

  give(n: number, given: Given, now: number): Promise<Step> {
    return this.#ask([n, given, now]);
  }

  stop(): void {
    void this.#worker.terminate();
  }

  async #ask(message: ToProgram): Promise<Step> {
    await this.#ready;
    if (this.#hasEnded) throw this.#hasEnded;
    // The engine looks at the time too, but not within one long operation, such as a copy of its whole memory.
    const late = setTimeout(() => {
      this.#end(`The program computed for more than ${this.#computeMs / 1000} s, and was stopped.`);
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
