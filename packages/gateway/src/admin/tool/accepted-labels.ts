/** Writes labels that the operator accepts into a configuration. */

import { isRecord, readJson, withValue } from '@callsign/config';
import type { Entry } from '@callsign/core';
import type { HintSet, Risk } from '@callsign/effects';
import { definitionOf } from '@callsign/governance';

/** The operator's choice for one tool. */
export interface AcceptedLabel {
  readonly entry: Entry;
  readonly risk: Risk;
}

const RISK_HINTS: Readonly<Record<Risk, Pick<HintSet, 'readOnlyHint' | 'destructiveHint'>>> = {
  read: { readOnlyHint: true, destructiveHint: false },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
};

/**
 * Adds labels to the text of a configuration. Each is bound to the definition that it was accepted
 * for.
 */
export function withLabels(text: string, labels: readonly AcceptedLabel[]): string {
  return labels.reduce((now, { entry, risk }) => {
    const path = ['callsign', 'annotations', entry.canonical];
    const label = { ...RISK_HINTS[risk], accepted: definitionOf(entry.item).hash };
    if (!isAnnotated(now, entry.canonical)) return withValue(now, path, label);
    // Other settings of the tool stay.
    return Object.entries(label).reduce(
      (before, [key, value]) => withValue(before, [...path, key], value),
      now,
    );
  }, text);
}

function isAnnotated(text: string, canonical: string): boolean {
  const document = readJson(text);
  const callsign = isRecord(document) ? document['callsign'] : undefined;
  const annotations = isRecord(callsign) ? callsign['annotations'] : undefined;
  return isRecord(annotations) && isRecord(annotations[canonical]);
}
