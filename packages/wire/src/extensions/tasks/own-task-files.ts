/**
 * The gateway's own tasks in a folder, one file each. All gateways of one configuration on this
 * machine share it.
 */

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { mayRun, replaceFile, type ProcessMark } from '@callsign/config';

import { afterItsProcess, isExpired, readOwnTask, type OwnTaskRecord } from './own-task-record.js';
import { readOrder } from './own-task-store.js';
import type { GivenOrder, OwnTaskStore } from './own-task-store.js';

/** The process that runs the call of a task. */
interface Holder extends ProcessMark {
  /** Differs for two processes with the same id. */
  readonly run: string;
}

const RUN = randomBytes(9).toString('base64url');
/** The ids that we make. Others are never part of a path. */
const ID = /^task-[\w-]{24}$/;
const SUFFIX = '.json';
const ORDER = /^(task-[\w-]{24})\.[\w-]+\.order$/;

/** A damaged file counts as an expired task. */
export function ownTaskFiles(folder: string): OwnTaskStore {
  const fileOf = (id: string): string => join(folder, `${id}${SUFFIX}`);
  const remove = (name: string): void => rmSync(join(folder, name), { force: true });

  function read(id: string): OwnTaskRecord | undefined {
    if (!ID.test(id)) return undefined;
    const lines = textOf(fileOf(id))?.split('\n');
    const [mark = '', text = ''] = lines ?? [];
    const record = readOwnTask(text);
    if (!record || isExpired(record)) return undefined;
    return isRunning(mark) ? record : afterItsProcess(record, 'was stopped');
  }

  return {
    async save(record) {
      const holder = {
        pid: process.pid,
        host: hostname(),
        time: new Date().toISOString(),
        run: RUN,
      };
      const text = `${JSON.stringify(holder)}\n${JSON.stringify(record)}\n`;
      try {
        replaceFile(fileOf(record.id), text, { mode: 0o600 });
      } catch (error) {
        // An old record would be wrong about the call. Without one, the task is only forgotten.
        remove(`${record.id}${SUFFIX}`);
        if (record.phase === 'waiting') throw error;
      }
    },
    async remove(id) {
      if (ID.test(id)) remove(`${id}${SUFFIX}`);
    },
    async find(id) {
      return read(id);
    },
    async of(owner) {
      const ids = namesIn(folder).map((name) => name.slice(0, -SUFFIX.length));
      return ids
        .flatMap((id) => read(id) ?? [])
        .filter((record) => record.owner === owner)
        .toSorted((a, b) => a.createdAt - b.createdAt);
    },
    async sweep() {
      for (const name of namesIn(folder)) {
        const id = ORDER.exec(name)?.[1] ?? name.slice(0, -SUFFIX.length);
        if (ID.test(id) && !read(id)) remove(name);
      }
    },
    async give(id, order) {
      if (!ID.test(id)) return;
      const name = `${id}.${randomBytes(9).toString('base64url')}.order`;
      replaceFile(join(folder, name), JSON.stringify(order), { mode: 0o600 });
    },
    async take(ids) {
      const names = namesIn(folder).filter((name) => ids.includes(ORDER.exec(name)?.[1] ?? ''));
      return names.flatMap((name): GivenOrder[] => {
        const text = textOf(join(folder, name));
        remove(name);
        const order = text === undefined ? undefined : readOrder(text);
        return order ? [{ id: ORDER.exec(name)![1]!, order }] : [];
      });
    },
  };
}

/** Whether the process of a task still runs. A damaged mark belongs to none. */
function isRunning(mark: string): boolean {
  const holder = holderIn(mark);
  if (!holder || holder.run === RUN) return holder !== undefined;
  const isOurs = holder.host === hostname() && holder.pid === process.pid;
  return !isOurs && mayRun(holder);
}

function holderIn(mark: string): Holder | undefined {
  try {
    return JSON.parse(mark) as Holder;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is none yet.
    return [];
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
