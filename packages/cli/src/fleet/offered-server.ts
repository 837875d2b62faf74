/** A server as commands see it: its current or remembered tools, and why it failed, if it did. */

import type { Item } from '@callsign/core';

/** One server of a fleet. With a `failure`, its tools may still be known from an earlier start. */
export interface OfferedServer {
  readonly key: string;
  readonly tools: readonly Item[];
  /** Missing if only its tools are remembered. */
  readonly prompts?: readonly Item[];
  readonly templates?: readonly Item[];
  /** Its instructions for models. */
  readonly instructions?: string | undefined;
  /** Why it did not start, if it did not. */
  readonly failure?: string;
  /** Whether a running gateway does not start it any more. */
  readonly isGivenUp?: boolean;
  /** What it printed last on standard error, if it did not start. Redacted. */
  readonly said?: readonly string[];
  /** A line of its output that is not a message, if it started anyway. Redacted. */
  readonly stray?: string | undefined;
}
