/** The tasks of a configuration, stored in the state folder so that they are found again after a restart. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';

import type { Call, Reply, Target } from '@callsign/core';
import {
  ownTaskFiles,
  type OwnTaskStore,
  type TaskEnd,
  Tasks,
  TaskTable,
} from '@callsign/wire/extensions';

import type { GatewayConfig } from '../config/gateway-config.js';

interface TaskModules {
  /** Told about tasks that have ended. */
  taskEnded(end: TaskEnd): void;
  /** Whether calls of a tool may wait for an operator. */
  readonly mayWait: ((target: Target) => boolean) | undefined;
}

interface TaskKeeping {
  /** The present configuration. A reload replaces it. */
  readonly config: () => GatewayConfig;
  readonly modules: TaskModules;
  /** Where all instances keep our own tasks. Default: in files. */
  readonly shared: OwnTaskStore | undefined;
  /** What callers get for results. */
  readonly results: { passed(call: Call, reply: Reply): Promise<Reply> };
  /** The state folder. */
  readonly state: string;
}

export function createTasks({ config, modules, shared, results, state }: TaskKeeping): Tasks {
  let files: OwnTaskStore | undefined;
  const store = (): OwnTaskStore | undefined => {
    const folder = shared || files ? undefined : tasksOf(config(), state);
    if (folder !== undefined) files = ownTaskFiles(folder);
    return shared ?? files;
  };
  return new Tasks({
    table: new TaskTable({ file: () => taskFileOf(config(), state) }),
    store,
    passed: (call, reply) => results.passed(call, reply),
    onEnd: (end) => modules.taskEnded(end),
    mayWait: () => modules.mayWait,
  });
}

/** The file for tasks of servers. */
function taskFileOf(config: GatewayConfig, state: string): string | undefined {
  const tasks = tasksOf(config, state);
  return tasks && `${tasks}.jsonl`;
}

/** The folder for our own tasks. `undefined`: tasks are kept in memory only. */
function tasksOf({ file, settings }: GatewayConfig, state: string): string | undefined {
  if (!settings.remember || file === '') return undefined;
  const name = createHash('sha256').update(file).digest('hex').slice(0, 40);
  return join(state, 'tasks', name);
}
