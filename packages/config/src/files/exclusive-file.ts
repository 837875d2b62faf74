/** Lets several processes change one file, one at a time, by a lock file beside it. */

import { randomUUID } from 'node:crypto';
import { link, lstat, open, readFile, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { makeFolder } from './make-folder.js';
import { realPath } from './replace-file.js';

const POLL_MS = 20;
/** Longer than any work under a lock. A lock that is older was left behind. */
const STALE_MS = 60_000;
const PATIENCE_MS = 90_000;

/** Runs `run` while no other process holds the lock of this file. Waits up to 90 s, then throws. */
export async function exclusively<T>(file: string, run: () => Promise<T>): Promise<T> {
  makeFolder(dirname(file));
  const lock = `${file}.lock`;
  const mark = `${process.pid} ${randomUUID()}\n`;
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await take(lock, mark))) {
    await breakIfStale(lock);
    if (Date.now() > deadline) {
      throw new Error(`${lock} is held by another process. Remove it if no such process runs.`);
    }
    await sleep(POLL_MS + Math.random() * POLL_MS);
  }
  try {
    return await run();
  } finally {
    // Remove only our own lock: another process may have taken it if we were too slow.
    if ((await textOf(lock)) === mark) await unlink(lock).catch(() => undefined);
  }
}

/**
 * `exclusively` for a file that a person or a client owns: links to one file share a lock, and the lock
 * has our own name, because the client may have a lock of its own.
 */
export function whileEditing<T>(file: string, run: () => Promise<T>): Promise<T> {
  return exclusively(`${realPath(file)}.callsign`, run);
}

async function take(lock: string, mark: string): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(lock, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await handle.writeFile(mark).finally(() => handle.close());
  return true;
}

/** Removes a lock that is too old, or whose process has ended. */
async function breakIfStale(lock: string): Promise<void> {
  const before = await textOf(lock);
  const age = await lstat(lock).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (before === undefined || !(age > STALE_MS || isGone(before))) return;
  // Only one process can move the lock away. A fresh lock that was moved by mistake is put back.
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(() => undefined);
  if ((await textOf(aside)) !== before) await link(aside, lock).catch(() => undefined);
  await unlink(aside).catch(() => undefined);
}

/**
 * Whether the process of a lock has ended. An empty lock belongs to a process that is still writing
 * it.
 */
function isGone(mark: string): boolean {
  const pid = Number(/^(\d+) /.exec(mark)?.[1]);
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
