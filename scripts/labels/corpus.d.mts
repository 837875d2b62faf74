import type { Effect, Hint, Judgement, Label, Risk } from '@callsign/effects';

/** A recorded tool, the truth about it, and its labels without and with its server's claims. */
export interface JudgedTool {
  readonly server: string;
  readonly isMeasured: boolean;
  readonly tool: { readonly name: string; readonly annotations?: Record<string, unknown> };
  readonly effect: Effect | 'unclear' | undefined;
  readonly stated: readonly Hint[];
  readonly claimed: Risk | undefined;
  readonly inferred: Label;
  readonly checked: Label;
}

/** An HTTP operation, the truth about it, and what the judge says. */
export interface JudgedOperation {
  readonly effect: Effect | 'unclear';
  readonly method: string;
  readonly path: string;
  readonly isMeasured: boolean;
  readonly judgement: Judgement;
}

export function readTools(): JudgedTool[];
export function readOperations(): JudgedOperation[];
