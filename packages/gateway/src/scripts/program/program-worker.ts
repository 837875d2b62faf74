/** The thread of one run of a program. The program's memory is gone when the thread ends. */

import { parentPort, workerData } from 'node:worker_threads';

import { EngineRun, loadEngine } from './engine.js';
import type { Given, ProgramStart, Step } from './steps.js';

/** `undefined`: begin. */
export type ToProgram = readonly [n: number, given: Given, now: number] | undefined;
export type FromProgram = 'ready' | { readonly step: Step } | { readonly broken: string };

const start = workerData as ProgramStart;
const run = new EngineRun(await loadEngine(start.limits.memoryBytes), start);

parentPort!.on('message', (message: ToProgram) => send(take(message)));
send('ready');

function take(message: ToProgram): FromProgram {
  try {
    return { step: message ? run.give(...message) : run.begin() };
  } catch (error) {
    return { broken: (error as Error).message };
  }
}

function send(answer: FromProgram): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort!.postMessage(answer);
}
