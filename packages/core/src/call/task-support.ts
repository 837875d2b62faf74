/** Whether a server runs calls of a tool as tasks, by the tool's definition. */

import { memberText } from '../json/json-text.js';

/** `forbidden` is the default of the specification. */
export type TaskSupport = 'forbidden' | 'optional' | 'required';

/** What a definition, as JSON text, says about tasks. */
export function taskSupportOf(definition: string): TaskSupport {
  // A search is much cheaper than a scan.
  if (!definition.includes('"taskSupport"')) return 'forbidden';
  const support = memberText(memberText(definition, 'execution') ?? '{}', 'taskSupport');
  if (support === '"required"') return 'required';
  return support === '"optional"' ? 'optional' : 'forbidden';
}
