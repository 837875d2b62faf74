/** Whose word counts for each hint, and who said it; what to do about it is decided elsewhere (risk.ts). */

import { type Hint, SPEC_DEFAULTS, type StatedHints, statedHint } from './hints.js';

/**
 * Who decided a hint, by rank: the spec, the operator's guess for the server, the server, the
 * operator's word for the tool.
 */
export const HINT_SOURCES = ['default', 'assumed', 'claim', 'override'] as const;

export type HintSource = (typeof HINT_SOURCES)[number];

/** One hint as it counts, and who decided it. */
export interface EffectiveHint {
  readonly value: boolean;
  readonly source: HintSource;
}

/** What policy, retries and people go by. */
export type EffectiveHints = Readonly<Record<Hint, EffectiveHint>>;

/** Whether a server is believed when it calls its own tools harmless. */
export type Trust = 'trusted' | 'untrusted';

/** Everybody who may speak about one tool; all may be silent. */
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

/** What a claim says of one hint, as far as it is believed: untrusted, only where it lowers no risk. */
export function believedClaim(
  claim: unknown,
  hint: Hint,
  trust: Trust = 'untrusted',
): boolean | undefined {
  const claimed = statedHint(claim, hint);
  // The spec default of each hint is its dangerous value, so agreeing with it never lowers risk.
  return trust === 'trusted' || claimed === SPEC_DEFAULTS[hint] ? claimed : undefined;
}

function resolveHint(hint: Hint, { claim, override, trust, assumed }: HintVoices): EffectiveHint {
  const overridden = statedHint(override, hint);
  if (overridden !== undefined) return { value: overridden, source: 'override' };

  const claimed = believedClaim(claim, hint, trust);
  if (claimed !== undefined) return { value: claimed, source: 'claim' };

  const guessed = statedHint(assumed, hint);
  if (guessed !== undefined) return { value: guessed, source: 'assumed' };
  return { value: SPEC_DEFAULTS[hint], source: 'default' };
}
