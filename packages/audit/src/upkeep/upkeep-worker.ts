/**
 * A thread for one round of upkeep of the SQLite tables. It ends when it is done, to free its
 * memory.
 */

import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

import { sqliteStores } from '../store/sqlite-store.js';
import { type UpkeepRun, runUpkeep } from './upkeep-run.js';

/** As `nice` counts: the lowest. Calls come first. */
const LOW = 19;

// On Linux, each thread has its own priority.
if (process.platform === 'linux') setPriority(0, LOW);
const run = workerData as UpkeepRun;
const store = sqliteStores.open({ folder: run.folder, settings: undefined });
const ended = new AbortController();
parentPort!.once('message', () => ended.abort()).unref();
const retained = await runUpkeep(store, run, ended.signal);
await store.close();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort!.postMessage(retained);
