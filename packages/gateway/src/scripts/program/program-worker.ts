/** The thread of one run of a program. The program's memory is gone when the thread ends. */

import { parentPort, workerData } from 'node:worker_threads';

import { EngineRun, loadEngine } from './engine.js';
import type { Given, ProgramStart, Step } from './steps.js';

/** `undefined`: begin. */
export type ToProgram = readonly [n: number, given: Given, now: number] | undefined;
export type FromProgram = { readonly step: Step } | { readonly broken: string };

const running = loadEngine().then((engine) => new EngineRun(engine, workerData as ProgramStart));

parentPort!.on('message', (message: ToProgram) => void take(message));

async function take(message: ToProgram): Promise<void> {
  let answer: FromProgram;
  try {
    const run = await running;
    answer = { step: message ? run.give(...message) : run.begin() };
  } catch (error) {
    answer = { broken: (error as Error).message };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort!.postMessage(answer);
}
