/** The warning for callers of an old tool name. */

import type { Warning } from './envelope.js';

/** Missing if the tool has no successor; then there is no warning. */
export function deprecation(name: string, successor: string | undefined): readonly Warning[] {
  if (successor === undefined) return [];
  const message = `'${name}' is an old name; use '${successor}'.`;
  return [{ code: 'DEPRECATION_WARNING', message, severity: 'medium' }];
}
