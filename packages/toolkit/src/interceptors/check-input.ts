/** Holds arguments against what a schema cannot say, before the tool acts. */

import type { ToolInterceptor, ToolCall } from './tool-interceptor.js';
import { refused } from '../server/outcome.js';

/** Says what is wrong with the arguments and how to put it right; nothing if they are well. */
export type InputCheck = (args: ToolCall['args'], tool: ToolCall['tool']) => string | undefined;

export function checkInput(check: InputCheck): ToolInterceptor {
  return function checkArguments({ tool, args }, next) {
    const problem = check(args, tool);
    return problem === undefined ? next() : refused(`${tool.name} was not called: ${problem}`);
  };
}
