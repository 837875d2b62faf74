/** The interface between the protocol and a target. Each transport implements `Executor`. */

import type { Call } from '@callsign/core';

import type { Operation } from '../adapter/adapter.js';
import type { Params } from './validate.js';

export interface Execution {
  readonly operation: Operation;
  readonly params: Params;
  /** Parameters of the target itself, for example for paging. */
  readonly query: ReadonlyMap<string, string>;
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** The outer call, for executors that also send progress or questions to the caller. */
  readonly call: Call;
}

export interface Executed {
  readonly data: unknown;
  /** The next page, if the target names it in a header. */
  readonly nextLink?: string | undefined;
}

/** Rejects with a ProtocolError. */
export type Executor = (execution: Execution) => Promise<Executed>;

export interface OwnedExecutor {
  readonly execute: Executor;
  /** Closes connections and ends processes. */
  close(): Promise<void>;
}
