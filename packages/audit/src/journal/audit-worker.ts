/** The thread that owns the log: whatever a disk takes its time for, no call waits in line behind it. */

import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

import { redactArguments } from '@callsign/core';
import type { Batch } from '../store/batch.js';
import { SqliteStore } from '../store/sqlite-store.js';
import { StoreKeeper } from './store-keeper.js';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.js';

/** As `nice` has it. */
const BESIDE = 10;

const { file, keepDays, maxBytes, redact, arguments: kept } = workerData as WorkerStart;
const port = parentPort!;
// Where a thread can have a priority of its own: on a busy machine, calls come before their records.
if (process.platform === 'linux') setPriority(0, BESIDE);
const tell = (message: FromWorker): void => port.postMessage(message);
const say = (sentence: string): void => tell({ type: 'said', sentence });
const keeper = new StoreKeeper(new SqliteStore(file, say), {
  retention: { keepDays, maxBytes },
  ...(kept === 'redacted'
    ? { redact: (json: string, schema?: string) => redactArguments(json, schema, redact) }
    : {}),
  say,
});

port.on('message', (message: ToWorker) => {
  if (message.type === 'close') void keeper.close().finally(() => port.close());
  else void keep(message.batch);
});

async function keep(batch: Batch): Promise<void> {
  try {
    await keeper.keep(batch);
    tell({ type: 'kept' });
  } catch (error) {
    return tell({ type: 'failed', reason: (error as Error).message });
  }
  await keeper.tidy();
}
