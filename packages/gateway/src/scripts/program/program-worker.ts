/** The thread of one run of a program. The program's memory is gone when the thread ends. */

import { parentPort, workerData } from 'node:worker_threads';

import { EngineRun, loadEngine } from './engine.js';
import type { Given, ProgramStart, Step } from './steps.js';

/** First the program, then the answers to its calls. */
export type ToProgram = ProgramStart | readonly [n: number, given: Given, now: number];
/** `ready`: the engine is loaded. */
export type FromProgram = 'ready' | { readonly step: Step } | { readonly broken: string };

const engine = await loadEngine(workerData as number);
let run: EngineRun | undefined;

parentPort!.on('message', (message: ToProgram) => send(take(message)));
send('ready');

function take(message: ToProgram): FromProgram {
  try {
    if ('code' in message) {
      run = new EngineRun(engine, message);
      return { step: run.begin() };
    }
    return { step: run!.give(...message) };
  } catch (error) {
    return { broken: (error as Error).message };
  }
}

function send(answer: FromProgram): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort!.postMessage(answer);
}
