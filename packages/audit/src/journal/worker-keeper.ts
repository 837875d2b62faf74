/** Keeps batches by way of a thread. If the thread dies, the next batch starts another one. */

import { Worker } from 'node:worker_threads';

import type { Batch } from '../store/batch.js';
import type { Keeper } from './keeper.js';
import { StoreTrouble } from '../store/store-trouble.js';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.js';

/** For texts that are gone as soon as they are kept. Left to itself, the thread would take more and more. */
const ROOM_MB = 4;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class WorkerKeeper implements Keeper {
  readonly #start: WorkerStart;
  readonly #say: (sentence: string) => void;
  #worker: Worker | undefined;
  /** For the one batch that is on its way. */
  #waiting: Waiting | undefined;
  #failure: string | undefined;

  constructor(start: WorkerStart, say: (sentence: string) => void) {
    this.#start = start;
    this.#say = say;
  }

  keep(batch: Batch): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      // Handed over, not copied: whoever has to send it again makes it again.
      this.#tell({ type: 'keep', batch }, [batch.numbers.buffer as ArrayBuffer]);
    });
  }

  async close(limitMs: number): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const force = setTimeout(() => void worker.terminate(), limitMs);
    const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    this.#tell({ type: 'close' });
    await gone;
    clearTimeout(force);
  }

  #tell(message: ToWorker, handedOver: ArrayBuffer[] = []): void {
    this.#worker ??= this.#begin();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    this.#worker.postMessage(message, handedOver);
  }

  #begin(): Worker {
    const worker = new Worker(workerFile(), {
      workerData: this.#start,
      // Flags of the process are not meant for it.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: ROOM_MB },
    });
    // A gateway that is done does not stay for its log; it closes it, with a limit.
    worker.unref();
    worker.on('message', (message: FromWorker) => this.#hear(message));
    worker.on('error', ({ message }) => {
      // It is started again and again; that it fails for the same reason is no news.
      if (message !== this.#failure) this.#say(`The thread of the audit log failed: ${message}`);
      this.#failure = message;
    });
    worker.on('exit', () => this.#gone(worker));
    return worker;
  }

  #hear(message: FromWorker): void {
    if (message.type === 'said') return this.#say(message.sentence);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (message.type === 'kept') waiting?.resolve();
    else waiting?.reject(new StoreTrouble(message.reason));
  }

  #gone(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(new StoreTrouble('the thread that writes it ended'));
  }
}

/** Node cannot run TypeScript: seen from the sources, the thread is the one that was built. */
function workerFile(): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL('./audit-worker.js', import.meta.url);
  return new URL('../../dist/journal/audit-worker.js', import.meta.url);
}
