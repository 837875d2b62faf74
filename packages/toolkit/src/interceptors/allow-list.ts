/** Limits calls to things that the operator has listed, by the arguments that name a thing. */

import type { ToolInterceptor } from './tool-interceptor.js';
import { refused } from '../server/outcome.js';

export interface AllowList {
  /** Arguments that name a thing, or several: `projectUuid`, `projectUuids`. */
  readonly fields: readonly string[];
  /** The allowed values. An empty list allows nothing. */
  readonly values: Iterable<string>;
}

/** A call without the argument passes. A tool that then works on everything must filter itself. */
export function allowList({ fields, values }: AllowList): ToolInterceptor {
  const allowed = new Set<unknown>(values);
  return function checkAllowed({ tool, args }, next) {
    for (const field of fields) {
      const named = Object.hasOwn(args, field) ? args[field] : undefined;
      if (named === undefined) continue;
      const isAllowed = [named].flat().every((value) => allowed.has(value));
      if (!isAllowed) {
        return refused(
          `${tool.name} was not called: ${field} names something outside the allow list of this server.`,
        );
      }
    }
    return next();
  };
}
