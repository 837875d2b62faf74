/** Decides which labels a person should review. */

import type { Entry } from '@callsign/core';
import { groundOf } from '@callsign/effects';

/** Whether the label is inferred, contradicted, or the default because no source has a value. */
export function needsReview(entry: Entry): boolean {
  return ['words', 'contradiction', 'default'].includes(groundOf(entry));
}

export function isInferred(entry: Entry): boolean {
  return groundOf(entry) === 'words';
}
