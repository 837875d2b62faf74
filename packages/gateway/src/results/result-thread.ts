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
/** Threads at the same time. Each is of another caller, so that one caller does not make all others wait. */
const MOST = 2;
/** Questions of one caller that wait. Each holds a whole result in memory. */
const MOST_WAITING = 50;

/** The callers whose question is being answered. */
const busy = new Set<string>();
/** The questions that wait, by caller. Who was served last is at the end. */
const waiting = new Map<string, (() => void)[]>();

/** `owner`: the caller who asks. */
export async function askResult(
  owner: string,
  question: ResultQuestion,
  limitMs: number = LIMIT_MS,
): Promise<FoundInResult> {
  const own = waiting.get(owner) ?? [];
  if (own.length >= MOST_WAITING)
    return { isJson: true, problem: 'too many of your questions wait: ask again later' };
  await new Promise<void>((begin) => {
    waiting.set(owner, [...own, begin]);
    beginNext();
  });
  try {
    return await ask(question, limitMs);
  } finally {
    busy.delete(owner);
    const others = waiting.get(owner);
    waiting.delete(owner);
    if (others) waiting.set(owner, others);
    beginNext();
  }
}

function beginNext(): void {
  if (busy.size >= MOST) return;
  for (const [owner, [begin, ...others]] of waiting) {
    if (busy.has(owner)) continue;
    waiting.delete(owner);
    if (others.length > 0) waiting.set(owner, others);
    busy.add(owner);
    return begin!();
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
