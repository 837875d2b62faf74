/** Limits calls to listed values of an argument, such as the projects that an operator allows. */

import type { ToolInterceptor } from './tool-interceptor.js';
import { refused } from '../server/outcome.js';

/** The options of `allowList`: which arguments it checks, and against which values. */
export interface AllowList {
  /** The arguments to check. Each has one value or a list: `projectUuid`, `projectUuids`. */
  readonly fields: readonly string[];
  /** The allowed values. An empty list allows nothing. */
  readonly values: Iterable<string>;
}

/**
 * A call without the argument passes: a tool that works on everything then must filter its answer
 * itself.
 */
export function allowList({ fields, values }: AllowList): ToolInterceptor {
  const allowed = new Set<unknown>(values);
  return function checkAllowed({ tool, args }, next) {
    for (const field of fields) {
      const named = Object.hasOwn(args, field) ? args[field] : undefined;
      if (named === undefined) continue;
      const isAllowed = [named].flat().every((value) => allowed.has(value));
      if (!isAllowed) {
        return refused(
          `${tool.name} was not called: the value of ${field} is not on the allow list of this server.`,
        );
      }
    }
    return next();
  };
}
