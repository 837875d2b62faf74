/** A client's request that belongs to an extension. */

import type { CallContext, Caller, Source } from '@callsign/core';

import type { Starting } from './while-starting.js';

export interface ExtensionRequest {
  readonly method: string;
  /** As JSON text. */
  readonly params: string;
  /** The source as this client sees it. */
  readonly view: Source;
  readonly caller: Caller;
  readonly context?: CallContext | undefined;
  readonly starting: Starting;
}
