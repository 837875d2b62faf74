/** Whoever really does an operation. */

import type { Call } from '@callsign/core';

import type { Operation } from '../adapter/adapter.js';
import type { Params } from './validate.js';

export interface Execution {
  readonly operation: Operation;
  readonly params: Params;
  /** Parameters of the target itself, such as those for a page. */
  readonly query: ReadonlyMap<string, string>;
  /** Ends when the caller no longer waits. */
  readonly signal: AbortSignal;
  /** The call that asks for it, for whoever has more to say to the caller. */
  readonly call: Call;
}

export interface Executed {
  readonly data: unknown;
  /** Where the next page is, if the target says so in a header. */
  readonly nextLink?: string | undefined;
}

/** Rejects with a ProtocolError. */
export type Executor = (execution: Execution) => Promise<Executed>;

export interface OwnedExecutor {
  readonly execute: Executor;
  /** Ends what it holds open. */
  close(): Promise<void>;
}
