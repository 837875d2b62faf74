/** Does work in advance that would delay the first call. */

import { redactText, redactUrl } from '@callsign/core/secrets';
import { labelTool, type LabelledTool } from '@callsign/effects';

const EXAMPLE: LabelledTool = {
  name: 'get_item',
  description: 'Gets an item of a list, with all its fields.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};
/** V8 compiles a regular expression at its first use, and again at its second. */
const TIMES = 3;

/**
 * Labels and redacts examples, which takes some milliseconds. Call it while servers start, because
 * the process has nothing else to do then.
 */
export function prepareFirstCall(): void {
  for (let time = 0; time < TIMES; time++) {
    labelTool(EXAMPLE);
    redactText('example-client');
    redactUrl('example:get_item');
  }
}
