/** Builds the label of a tool from the annotations of its author and the defaults of the server. */

import {
  labelTool as effectiveLabel,
  mergeAnnotations,
  PRESETS,
  type Risk,
  type ToolAnnotations,
} from '@callsign/effects';

import type { NoPreset, Preset } from './presets.js';

/** Hints written by hand. `destructiveHint: true` needs `readOnlyHint: false`. */
type OwnHints = NoPreset & {
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
} & (
    | { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: false | undefined }
    | { readonly readOnlyHint: false; readonly destructiveHint: boolean }
  );

interface Titled {
  readonly title?: string | undefined;
}

/** Annotations that start from a preset, with an optional title. */
export type PresetAnnotations = Preset & Titled;

/** Any annotations that do not contradict themselves. */
export type HonestAnnotations = PresetAnnotations | (OwnHints & Titled);

/** What is known about a tool before its first call. */
export interface Label {
  readonly title: string | undefined;
  readonly annotations: ToolAnnotations;
  readonly risk: Risk;
}

export interface LabelRules {
  readonly defaults: ToolAnnotations;
  /** Whether the author has to start from a preset. */
  readonly strict: boolean;
}

/**
 * Merges defaults and the author's annotations by key, with the title in both places. Throws on a
 * contradiction.
 */
export function labelTool(
  name: string,
  own: { readonly title?: string | undefined; readonly annotations?: ToolAnnotations | undefined },
  { defaults, strict }: LabelRules,
): Label {
  if (strict && !startsFromPreset(own.annotations)) {
    throw new TypeError(
      `${name} is registered without a preset. Pass one as annotations: ${PRESET_NAMES}.`,
    );
  }
  const merged = mergeAnnotations(own.annotations, defaults);
  if (merged.readOnlyHint === true && merged.destructiveHint === true) {
    throw new TypeError(
      `${name} would be labelled both read-only and destructive. ` +
        'Pass WRITE_DESTRUCTIVE as annotations, or say readOnlyHint: false.',
    );
  }
  const title = own.title ?? merged.title;
  return {
    title,
    annotations: title === undefined ? merged : { ...merged, title },
    risk: effectiveLabel({ name, annotations: merged, trust: 'full' }).risk,
  };
}

const PRESET_NAMES = Object.keys(PRESETS).join(', ');

/** At run time a preset is recognised by its values, so a copy with a title counts too. */
function startsFromPreset(own: ToolAnnotations | undefined): boolean {
  return Object.values(PRESETS).some(
    (preset) =>
      own?.readOnlyHint === preset.readOnlyHint &&
      own.destructiveHint === preset.destructiveHint &&
      own.idempotentHint === preset.idempotentHint &&
      typeof own.openWorldHint === 'boolean',
  );
}
