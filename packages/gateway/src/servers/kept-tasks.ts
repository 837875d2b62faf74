/** The tasks of a configuration, stored in the state folder so that they are found again after a restart. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { stateFolder } from '@callsign/config';
import type { Target } from '@callsign/core';
import { Tasks, TaskTable, type TaskEnd } from '@callsign/extensions';

import type { GatewayConfig } from '../config/gateway-config.js';

export interface TaskKeeping {
  readonly config: GatewayConfig;
  readonly modules: {
    /** Told about tasks that have ended. */
    taskEnded(end: TaskEnd): void;
    /** Whether calls of a tool may wait for an operator. */
    readonly mayWait: ((target: Target) => boolean) | undefined;
  };
}

/**
 * `keeping` is a function because the gateway creates tasks before its configuration and modules.
 */
export function keptTasks(keeping: () => TaskKeeping): Tasks {
  return new Tasks({
    table: new TaskTable({ file: () => taskFileOf(keeping().config) }),
    onEnd: (end) => keeping().modules.taskEnded(end),
    mayWait: () => keeping().modules.mayWait,
  });
}

/** `undefined`: they are kept in memory only. */
function taskFileOf({ file, settings }: GatewayConfig): string | undefined {
  if (!settings.remember || file === '') return undefined;
  const name = createHash('sha256').update(file).digest('hex').slice(0, 40);
  return join(stateFolder(), 'tasks', `${name}.jsonl`);
}
