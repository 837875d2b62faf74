/** Delivers a server's log message to the caller that it concerns. */

import type { Call } from '@callsign/core';

import { areOneCallers } from '../extensions/request/open-questions.js';

/**
 * `calls`: those that may have caused the message. If they belong to one caller, it goes to that
 * caller. Without calls it concerns the server, and goes to all who may see it. If they belong to
 * callers with different credentials, it goes to none: a guess could show the data of one to
 * another.
 */
export function deliverLog(params: string, calls: readonly Call[], toAll: () => void): void {
  if (calls.length === 0) return toAll();
  if (areOneCallers(calls)) return calls.at(-1)!.context.log?.(params);
  const [first] = calls;
  const name = first!.caller.principal?.name;
  if (calls.every(({ caller }) => caller.principal?.name === name)) toAll();
}
