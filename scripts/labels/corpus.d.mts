import type { Hint, Label, Risk } from '@callsign/effects';

/** One recorded tool, its true label, and the label that Callsign gives it. */
export interface JudgedTool {
  readonly server: string;
  readonly package: string;
  readonly version: string;
  readonly isHeldOut: boolean;
  readonly tool: { readonly name: string; readonly annotations?: Record<string, unknown> };
  readonly stated: readonly Hint[];
  readonly claimed: Risk | undefined;
  readonly hand: Risk | undefined;
  readonly reason: string | undefined;
  readonly truth: Risk | undefined;
  readonly inferred: Label;
  readonly checked: Label;
}

export function readCorpus(): JudgedTool[];
