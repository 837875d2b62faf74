/** A request of a client that belongs to an extension. */

import type { CallContext, Caller, Source } from '@callsign/core';

export interface ExtensionRequest {
  readonly method: string;
  /** As JSON text. */
  readonly params: string;
  /** What the client sees. */
  readonly view: Source;
  readonly caller: Caller;
  readonly context?: CallContext | undefined;
}
