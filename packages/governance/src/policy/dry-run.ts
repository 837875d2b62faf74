/** The reply to a call that is described instead of made. */

import { type Call, memberText, type Reply, resultOf } from '@callsign/core';

import { redactArguments, type RedactOptions } from '@callsign/core';

/**
 * A result and not an error, since nothing failed. It is marked as an error only if the tool
 * promises structured output: clients refuse a result without it, and there is none.
 */
export function describedCall(call: Call, redact: RedactOptions): Reply {
  const { canonical, item } = call.target!;
  const given = call.argumentsJson ?? '{}';
  const shown = redactArguments(given, memberText(item.json, 'inputSchema'), redact);
  const text = `Dry run: ${canonical} was not called. It would have been called with ${shown}`;
  return resultOf({
    content: [{ type: 'text', text }],
    isError: memberText(item.json, 'outputSchema') !== undefined,
    _meta: { 'callsign/dry-run': true },
  });
}
