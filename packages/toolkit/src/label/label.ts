/** Builds the label of a tool from the annotations of its author and the defaults of the server. */

import {
  labelTool as effectiveLabel,
  PRESETS,
  type Risk,
  type ToolAnnotations,
} from '@callsign/effects';

import type { NoPreset, Preset } from './presets.js';

/** Hints written by hand, such as a variable of the SDK's type `ToolAnnotations`. */
type OwnHints = NoPreset & ToolAnnotations;

interface Titled {
  readonly title?: string | undefined;
}

/** Annotations that start from a preset, with an optional title. */
export type PresetAnnotations = Preset & Titled;

/** A preset, or any hints. Hints that contradict each other are refused at run time. */
export type AnyAnnotations = PresetAnnotations | OwnHints;

/** What is known about a tool before its first call. */
export interface Label {
  readonly title: string | undefined;
  readonly annotations: ToolAnnotations;
  /** The risk that the annotations state. */
  readonly risk: Risk;
  /**
   * The risk for a safety mode and a dry run: `destructive` if neither the tool nor the
   * server states whether it only reads. The default hint does not count as a statement.
   */
  readonly statedRisk: Risk;
}

export interface LabelRules {
  /** Hints that the author of the server chose for all its tools. Default: `DEFAULT_ANNOTATIONS`. */
  readonly defaults: ToolAnnotations | undefined;
  /** Whether the author has to start from a preset. */
  readonly strict: boolean;
}

/**
 * The annotations of a tool whose author states none, in a server that only reads its own backend.
 */
export const DEFAULT_ANNOTATIONS: ToolAnnotations = Object.freeze({
  readOnlyHint: true,
  openWorldHint: false,
});

/**
 * For our own servers only: a gateway must not change what other servers claim. The tool's own value counts for each key. An explicit `undefined` counts as missing. Returns a
 * new object.
 */
export function mergeAnnotations(
  own: ToolAnnotations = {},
  defaults: ToolAnnotations = DEFAULT_ANNOTATIONS,
): ToolAnnotations {
  const entries = [...Object.entries(defaults), ...Object.entries(own)];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * Merges the defaults and the author's annotations by key; the author wins. A tool that is said to
 * destroy does not get the default `readOnlyHint: true`. Throws on a contradiction.
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
  const destroys =
    own.annotations?.destructiveHint === true && own.annotations.readOnlyHint === undefined;
  const merged = mergeAnnotations(own.annotations, {
    ...(defaults ?? DEFAULT_ANNOTATIONS),
    ...(destroys ? { readOnlyHint: false } : {}),
  });
  if (merged.readOnlyHint === true && merged.destructiveHint === true) {
    throw new TypeError(
      `${name} would be labelled both read-only and destructive. ` +
        'Pass WRITE_DESTRUCTIVE as annotations, or say readOnlyHint: false.',
    );
  }
  const title = own.title ?? merged.title;
  const risk = effectiveLabel({ name, annotations: merged, trust: 'full' }).risk;
  const isStated =
    own.annotations?.readOnlyHint !== undefined || defaults?.readOnlyHint !== undefined;
  return {
    title,
    annotations: title === undefined ? merged : { title, ...merged },
    risk,
    statedRisk: isStated ? risk : 'destructive',
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
