/** The methods of tasks in each era, and who may use them. */

import type { Caller, Era, Reply } from '@callsign/core';

import { errorJson, MISSING_CAPABILITY } from '../../rpc/message/rpc-error.js';
import { hasExtension, TASKS_EXTENSION } from '../capabilities/extension-capabilities.js';

export const TASK_METHODS: Readonly<Record<Era, ReadonlySet<string>>> = {
  session: new Set(['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list']),
  stateless: new Set(['tasks/get', 'tasks/update', 'tasks/cancel']),
};

const LACKING: Reply = {
  ok: false,
  json: errorJson(MISSING_CAPABILITY, 'The client does not declare the extension for tasks.', {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  }),
};

/** The error for a stateless client that does not declare tasks. */
export function lackingTasks({ era, capabilities }: Caller): Reply | undefined {
  const isLacking = era === 'stateless' && !hasExtension(capabilities, TASKS_EXTENSION);
  return isLacking ? LACKING : undefined;
}
