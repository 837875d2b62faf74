/** The five MCPAQL endpoints and their hints: the presets' table, sorted by effect. */

import type { HintSet } from './hints.js';
import type { PresetName } from './presets.js';

/** What an operation does to state, in the order of the letters in CRUDE. */
export const ENDPOINTS = ['create', 'read', 'update', 'delete', 'execute'] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

/** The endpoint in a title: `Apple Mail — Read`. */
export const ENDPOINT_TITLES: Readonly<Record<Endpoint, string>> = Object.freeze({
  create: 'Create',
  read: 'Read',
  update: 'Update',
  delete: 'Delete',
  execute: 'Execute',
});

export interface EndpointOptions {
  /** Whether calls reach other systems: true for an HTTP adapter, false for a native one. */
  readonly openWorld: boolean;
  /** Fixed by the table for every endpoint but update. */
  readonly idempotent?: never;
  /** Fixed by the table for every endpoint but update. */
  readonly destructive?: never;
}

export interface UpdateOptions {
  readonly openWorld: boolean;
  /** True when every operation behind the tool may be repeated. */
  readonly idempotent?: boolean;
  /** True as soon as one operation behind the tool is declared destructive. */
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

/** The hints of an endpoint's tool. `openWorld` is free for every endpoint, the other options for update only. */
export function endpointHints(endpoint: 'update', options: UpdateOptions): HintSet;
export function endpointHints(endpoint: Endpoint, options: EndpointOptions): HintSet;
export function endpointHints(endpoint: Endpoint, options: UpdateOptions): HintSet {
  const hints = { ...TABLE[endpoint], openWorldHint: options.openWorld };
  if (endpoint !== 'update') return hints;
  const { destructive = false, idempotent = false } = options;
  return { ...hints, destructiveHint: destructive, idempotentHint: idempotent };
}
