/** A user's module and its place among ours. */

import type { Module } from '@callsign/core';

export interface UserModule {
  readonly module: Module<never>;
  /** The module that it comes before. Unset: `policy`. */
  readonly before?: string;
  /** Checked with the module's own schema. */
  readonly settings?: unknown;
}
