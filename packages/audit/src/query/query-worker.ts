/** The thread that answers questions about the records of a folder, one after the other. */

import { parentPort, workerData } from 'node:worker_threads';

import { sqliteStores } from '../store/sqlite-store.js';
import { AuditReader } from './audit-reader.js';
import type { AskedQuestion, GivenAnswer, RecordQuestions } from './record-questions.js';

/** Characters of an export that are sent at once. */
const EXPORT_LENGTH = 256 * 1024;

const { folder } = workerData as { readonly folder: string };
const store = sqliteStores.open({ folder, settings: undefined });
const reader = new AuditReader({ folder, store });
let exported: AsyncIterator<string> | undefined;

const ANSWERS: { readonly [name in keyof RecordQuestions]: RecordQuestions[name] } = {
  list: (options) => reader.list(options),
  stats: (filter) => reader.stats(filter),
  timeline: (filter, step) => reader.timeline(filter, step),
  show: (id) => reader.show(id),
  verify: () => reader.verify(),
  async exportNext(format, filter) {
    exported ??= reader.export(format, filter)[Symbol.asyncIterator]();
    const lines: string[] = [];
    for (let length = 0; length < EXPORT_LENGTH;) {
      const { done, value } = await exported.next();
      if (done) break;
      lines.push(value);
      length += value.length;
    }
    return lines;
  },
};

async function answer({ name, args }: AskedQuestion): Promise<GivenAnswer> {
  try {
    const ask = ANSWERS[name] as (...given: readonly unknown[]) => unknown;
    return { value: await ask(...args) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

let last: Promise<void> = Promise.resolve();
parentPort!.on('message', (question: AskedQuestion) => {
  last = last.then(() => take(question));
});

async function take(question: AskedQuestion): Promise<void> {
  const given = await answer(question);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort!.postMessage(given);
}
