/** The warning for callers of an old tool name. */

import type { Warning } from './envelope.js';

/** Unset: no warning, because the tool has no successor. */
export function deprecation(name: string, successor: string | undefined): readonly Warning[] {
  if (successor === undefined) return [];
  const message = `'${name}' is an old name; use '${successor}'.`;
  return [{ code: 'DEPRECATION_WARNING', message, severity: 'medium' }];
}
