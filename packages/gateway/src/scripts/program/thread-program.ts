/** A program in a thread of its own. It can be ended at any time, even inside of a loop. */

import { Worker } from 'node:worker_threads';

import type { FromProgram, ToProgram } from './program-worker.js';
import { type Given, type Program, ProgramError, type ProgramStart, type Step } from './steps.js';

const HEAP_MB = 64;
/** How much longer than its time a step may take, before the thread is ended. */
const GRACE_MS = 5_000;

export class ThreadProgram implements Program {
  readonly #worker: Worker;
  readonly #limitMs: number;
  #asked: { resolve(step: Step): void; reject(error: Error): void } | undefined;
  #hasEnded: Error | undefined;

  constructor(start: ProgramStart) {
    this.#limitMs = start.limits.computeMs + GRACE_MS;
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
      const asked = this.#asked;
      this.#asked = undefined;
      if ('step' in answer) asked?.resolve(answer.step);
      else asked?.reject(new ProgramError(answer.broken));
    });
    this.#worker.once('error', (error) => this.#end(`The program failed: ${String(error)}`));
    this.#worker.once('exit', () => this.#end('The program was stopped.'));
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
    if (this.#hasEnded) throw this.#hasEnded;
    const late = setTimeout(() => {
      this.#end(`The program computed for more than ${this.#limitMs / 1000} s, and was stopped.`);
      this.stop();
    }, this.#limitMs);
    try {
      return await new Promise((resolve, reject) => {
        this.#asked = { resolve, reject };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
        this.#worker.postMessage(message);
      });
    } finally {
      clearTimeout(late);
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
