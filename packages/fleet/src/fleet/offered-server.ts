/** A server as commands see it: the tools that it offers, or offered last, and what went wrong. */

import type { Item } from '@callsign/core';

export interface OfferedServer {
  readonly key: string;
  readonly tools: readonly Item[];
  /** Unset: not known, since only tools are asked for. */
  readonly prompts?: readonly Item[];
  readonly templates?: readonly Item[];
  /** What it says to models about itself. */
  readonly instructions?: string | undefined;
  /** Why it did not start, if it did not. */
  readonly failure?: string;
  /** What it printed last on standard error, if it did not start. Redacted. */
  readonly said?: readonly string[];
}
