/** Answers questions about records in a separate thread, so that calls do not wait. */

import { Worker } from 'node:worker_threads';

import { AuditTrouble } from '../record/trouble.js';
import { workerFile } from '../record/worker-file.js';
import type { GivenAnswer, RecordQuestions } from './record-questions.js';

const HEAP_MB = 256;

/** A question without an answer. Answers come in the order of the questions. */
interface Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class QueryThread {
  readonly #worker: Worker;
  readonly #asked: Asked[] = [];
  #ended: Error | undefined;

  /** `folder`: of the journals and of the SQLite tables. */
  constructor(folder: string) {
    this.#worker = new Worker(workerFile(import.meta.url, 'query', 'query-worker'), {
      workerData: { folder },
      // The flags of this process are not meant for the thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    // The thread must not keep the gateway alive.
    this.#worker.unref();
    this.#worker.on('message', (answer: GivenAnswer) => {
      const asked = this.#asked.shift();
      if ('error' in answer) asked?.reject(new AuditTrouble(answer.error));
      else asked?.resolve(answer.value);
    });
    this.#worker.once('error', (error) => this.#end(error as Error));
    this.#worker.once('exit', () => this.#end(new AuditTrouble('the thread has ended')));
  }

  /** Whether a question is open. */
  get isBusy(): boolean {
    return this.#asked.length > 0;
  }

  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  ask<K extends keyof RecordQuestions>(
    name: K,
    ...args: Parameters<RecordQuestions[K]>
  ): Promise<Awaited<ReturnType<RecordQuestions[K]>>> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      this.#asked.push({ resolve: resolve as Asked['resolve'], reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      this.#worker.postMessage({ name, args });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(this.#ended);
  }
}
