/** Checks arguments for rules that a schema cannot express, before the tool runs. */

import type { ToolInterceptor, ToolCall } from './tool-interceptor.js';
import { refused } from '../server/outcome.js';

/**
 * Returns what is wrong with the arguments and how to correct it; `undefined` if they are valid.
 */
export type InputCheck = (args: ToolCall['args'], tool: ToolCall['tool']) => string | undefined;

export function checkInput(check: InputCheck): ToolInterceptor {
  return function checkArguments({ tool, args }, next) {
    const problem = check(args, tool);
    return problem === undefined ? next() : refused(`${tool.name} was not called: ${problem}`);
  };
}
