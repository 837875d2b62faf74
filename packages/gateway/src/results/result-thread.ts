/** Reads the JSON of a long result in a thread of its own, within limits on time and memory. */

import { Worker } from 'node:worker_threads';

export interface ResultQuestion {
  readonly json: string;
  /** A JMESPath expression. Default: the shape of the value is asked for. */
  readonly expression?: string;
  /** The most characters of the answer. */
  readonly most: number;
}

export type FoundInResult =
  | { readonly isJson: false }
  /** `length`: of the whole answer, which may be cut. */
  | { readonly isJson: true; readonly text: string; readonly length: number }
  /** What is wrong with the expression, or why there is no answer. */
  | { readonly isJson: true; readonly problem: string };

const LIMIT_MS = 15_000;
const HEAP_MB = 768;
/** Threads at the same time. Further questions wait. */
const MOST = 2;

let running = 0;
const waiting: (() => void)[] = [];

export async function askResult(
  question: ResultQuestion,
  limitMs: number = LIMIT_MS,
): Promise<FoundInResult> {
  if (running >= MOST) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    return await ask(question, limitMs);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

function ask(question: ResultQuestion, limitMs: number): Promise<FoundInResult> {
  const worker = new Worker(workerFile(), {
    workerData: question,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise<FoundInResult>((resolve) => {
    const failed = (problem: string): void => resolve({ isJson: true, problem });
    const timer = setTimeout(
      () => failed(`it took longer than ${limitMs / 1000} s`),
      limitMs,
    ).unref();
    worker.once('message', (found: FoundInResult) => resolve(found));
    worker.once('error', ({ message }: Error) => failed(message));
    worker.once('exit', () => {
      clearTimeout(timer);
      failed('the thread has ended');
    });
  }).finally(() => void worker.terminate());
}

/** Node cannot run TypeScript, so from the sources the built thread is used. In a bundle it is beside this module. */
function workerFile(): URL {
  const own = import.meta.url;
  const path = own.endsWith('.ts') ? '../../dist/results/result-worker.js' : './result-worker.js';
  return new URL(path, own);
}
