/** The thread that reads the JSON of one long result: its shape, or what a JMESPath expression finds in it. */

import { parentPort, workerData } from 'node:worker_threads';

import { search, type JSONValue } from '@jmespath-community/jmespath';

import { shapeOf } from './json-shape.js';
import type { FoundInResult, ResultQuestion } from './result-thread.js';

function answerTo({ json, expression, most }: ResultQuestion): FoundInResult {
  let value: JSONValue;
  try {
    value = JSON.parse(json) as JSONValue;
  } catch {
    return { isJson: false };
  }
  if (expression === undefined) return { isJson: true, text: shapeOf(value), length: 0 };
  try {
    const found = search(value, expression) as JSONValue | undefined;
    const text = JSON.stringify(found ?? null, undefined, 1);
    return { isJson: true, text: text.slice(0, most), length: text.length };
  } catch (error) {
    return { isJson: true, problem: (error as Error).message.slice(0, 500) };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort!.postMessage(answerTo(workerData as ResultQuestion));
