/** Shows the arguments of a writing tool instead of running it. Reading tools run as usual. */

import type { ToolInterceptor } from './tool-interceptor.js';
import { redact } from './redact.js';

/** Characters of the arguments that are shown. */
const MAX_ARGUMENTS = 4000;

export function dryRun(): ToolInterceptor {
  return function tellOnly({ tool, args }, next) {
    if (tool.statedRisk === 'read') return next();
    const given = redact(JSON.stringify(args, withBigIntegers, 2)).slice(0, MAX_ARGUMENTS);
    const text = `[DRY RUN] ${tool.name} was not run and nothing has changed. Arguments: ${given}`;
    return { status: 'dry-run', result: { content: [{ type: 'text', text }] } };
  };
}

/** A schema may have turned an argument into a big integer, which JSON does not have. */
function withBigIntegers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
