/** Whose word counts for each hint, and who said it; what to do about it is decided elsewhere (risk.ts). */

import { type Hint, type HintSet, SPEC_DEFAULTS, type StatedHints, statedHint } from './hints.js';

/** Who decided a hint: the operator, the server, the operator's guess for the server, or the spec. */
export type HintSource = 'override' | 'claim' | 'assumed' | 'default';

export interface EffectiveHint {
  readonly value: boolean;
  readonly source: HintSource;
}

export type EffectiveHints = Readonly<Record<Hint, EffectiveHint>>;

export type Trust = 'trusted' | 'untrusted';

export interface HintVoices {
  /** The `annotations` of the listed tool, whatever they turn out to be. */
  readonly claim?: unknown;
  /** The operator's word for this tool. */
  readonly override?: StatedHints | undefined;
  /** Whether the server is believed. Untrusted unless told, as the MCP specification demands. */
  readonly trust?: Trust | undefined;
  /** The operator's word for tools of this server that say nothing themselves. */
  readonly assumed?: StatedHints | undefined;
}

/** Override, else claim, else assumption, else spec default; an untrusted claim may only raise risk. */
export function resolveHints(voices: HintVoices): EffectiveHints {
  return {
    readOnlyHint: resolveHint('readOnlyHint', voices),
    destructiveHint: resolveHint('destructiveHint', voices),
    idempotentHint: resolveHint('idempotentHint', voices),
    openWorldHint: resolveHint('openWorldHint', voices),
  };
}

export function hintValues(effective: EffectiveHints): HintSet {
  return {
    readOnlyHint: effective.readOnlyHint.value,
    destructiveHint: effective.destructiveHint.value,
    idempotentHint: effective.idempotentHint.value,
    openWorldHint: effective.openWorldHint.value,
  };
}

function resolveHint(
  hint: Hint,
  { claim, override, trust = 'untrusted', assumed }: HintVoices,
): EffectiveHint {
  const overridden = statedHint(override, hint);
  if (overridden !== undefined) return { value: overridden, source: 'override' };

  const claimed = statedHint(claim, hint);
  // The spec default of each hint is its dangerous value, so agreeing with it never lowers risk.
  const believed = trust === 'trusted' || claimed === SPEC_DEFAULTS[hint];
  if (claimed !== undefined && believed) return { value: claimed, source: 'claim' };

  const guessed = statedHint(assumed, hint);
  if (guessed !== undefined) return { value: guessed, source: 'assumed' };
  return { value: SPEC_DEFAULTS[hint], source: 'default' };
}
