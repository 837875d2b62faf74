/** Labels that nobody vouches for, what is proposed for them, and how an accepted one is written down. */

import { groundOf, type HintSet, type Risk } from '@callsign/annotations';
import { isRecord, withValue } from '@callsign/config';
import type { Entry } from '@callsign/core';
import { definitionOf } from '@callsign/governance';

import { documentIn } from '@callsign/command';

export interface AcceptedLabel {
  readonly entry: Entry;
  readonly risk: Risk;
}

const RISK_HINTS: Readonly<Record<Risk, Pick<HintSet, 'readOnlyHint' | 'destructiveHint'>>> = {
  read: { readOnlyHint: true, destructiveHint: false },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
};

/** Whether the label is inferred, contradicted, or the default because nobody says anything. */
export function needsReview(entry: Entry): boolean {
  return ['words', 'contradiction', 'default'].includes(groundOf(entry));
}

export function isInferred(entry: Entry): boolean {
  return groundOf(entry) === 'words';
}

/** The text of a configuration with these labels, each bound to the definition it was accepted for. */
export function withLabels(text: string, file: string, labels: readonly AcceptedLabel[]): string {
  return labels.reduce((now, { entry, risk }) => {
    const path = ['callsign', 'annotations', entry.canonical];
    const label = { ...RISK_HINTS[risk], accepted: definitionOf(entry.item).hash };
    if (!isAnnotated(now, file, entry.canonical)) return withValue(now, path, label);
    // What else is written about the tool stays.
    return Object.entries(label).reduce(
      (before, [key, value]) => withValue(before, [...path, key], value),
      now,
    );
  }, text);
}

function isAnnotated(text: string, file: string, canonical: string): boolean {
  const { callsign } = documentIn(text, file);
  const annotations = isRecord(callsign) ? callsign['annotations'] : undefined;
  return isRecord(annotations) && isRecord(annotations[canonical]);
}
