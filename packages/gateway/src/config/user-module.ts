/** A user's module, and its place among the built-in modules. */

import type { Module } from '@callsign/core';

/** Its code has run already: importing a module runs it. */
export interface UserModule {
  readonly module: Module<never>;
  /** The module that it runs before. Default: `policy`. */
  readonly before?: string;
  /** Checked with the module's own schema. */
  readonly settings?: unknown;
}
