/** What operations do, and the five MCPAQL endpoints with their hints: the table of the presets, by effect. */

import type { HintSet } from './hints.js';
import type { PresetName } from './presets.js';

/**
 * What an operation does, from harmless to harmful. `sends` cannot be taken back: it reaches people
 * or other systems, or it costs money. `runs` executes a program or a query that decides by itself.
 */
export type Effect = 'reads' | 'adds' | 'changes' | 'destroys' | 'sends' | 'runs';

/** In the order of the letters in CRUDE. */
export const ENDPOINTS = ['create', 'read', 'update', 'delete', 'execute'] as const;

/** A group of operations. An adapter has one tool for each endpoint that it uses. */
export type Endpoint = (typeof ENDPOINTS)[number];

/** The endpoint for operations with each effect. */
export const EFFECT_ENDPOINTS: Readonly<Record<Effect, Endpoint>> = Object.freeze({
  reads: 'read',
  adds: 'create',
  changes: 'update',
  destroys: 'delete',
  sends: 'execute',
  runs: 'execute',
});

/** How titles name each endpoint: `Apple Mail — Read`. */
export const ENDPOINT_TITLES: Readonly<Record<Endpoint, string>> = Object.freeze({
  create: 'Create',
  read: 'Read',
  update: 'Update',
  delete: 'Delete',
  execute: 'Execute',
});

/** What may differ between the tools of one endpoint. */
export interface EndpointOptions {
  /** Whether calls reach other systems: true for an HTTP adapter, false for a native one. */
  readonly openWorld: boolean;
  /** Only for update. The table fixes it for the others. */
  readonly idempotent?: never;
  /** Only for update. The table fixes it for the others. */
  readonly destructive?: never;
}

/** What may differ between tools that update: some may be repeated, some destroy. */
export interface UpdateOptions {
  readonly openWorld: boolean;
  /** True if every operation behind the tool may be repeated. */
  readonly idempotent?: boolean;
  /** True if at least one operation behind the tool is declared destructive. */
  readonly destructive?: boolean;
}

const TABLE: Readonly<Record<Endpoint, Omit<HintSet, 'openWorldHint'>>> = {
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  update: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  execute: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

/** The endpoint for each preset. */
export const PRESET_ENDPOINTS: Readonly<Record<PresetName, Endpoint>> = Object.freeze({
  READ_ONLY_DEFAULT: 'read',
  READ_ONLY_OPEN_WORLD: 'read',
  WRITE_IDEMPOTENT: 'update',
  WRITE_ADDITIVE: 'create',
  WRITE_DESTRUCTIVE: 'delete',
  WRITE_DESTRUCTIVE_OPEN_WORLD: 'execute',
});

/** The hints of an endpoint's tool. */
export function endpointHints(endpoint: 'update', options: UpdateOptions): HintSet;
export function endpointHints(endpoint: Endpoint, options: EndpointOptions): HintSet;
export function endpointHints(endpoint: Endpoint, options: UpdateOptions): HintSet {
  const hints = { ...TABLE[endpoint], openWorldHint: options.openWorld };
  if (endpoint !== 'update') return hints;
  const { destructive = false, idempotent = false } = options;
  return { ...hints, destructiveHint: destructive, idempotentHint: idempotent };
}
