/** The few things that the protocol takes from the rooms of Callsign, for a package that stands alone. */

export { elementsOf, memberText, membersOf, type Range } from '@callsign/core';
export { editDistance } from '@callsign/naming';

export const ENDPOINTS = ['create', 'read', 'update', 'delete', 'execute'] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

/** One call on its way. */
export interface Call {
  /** The parameters of `tools/call`, as JSON text. */
  readonly params: string;
  readonly caller: { readonly id: string; readonly era: 'session' | 'stateless' };
  readonly isCancelled: boolean;
  /** Called once if the caller gives up. Set by whoever has work to stop. */
  onCancel: ((reason: string | undefined) => void) | undefined;
}

export interface Reply {
  readonly ok: boolean;
  /** A result, as JSON text. */
  readonly json: string;
}

/** The caller no longer waits; there is nobody to answer to. */
export class HouseError extends Error {
  readonly code: 'call-cancelled';

  constructor(code: 'call-cancelled') {
    super('The call was cancelled.');
    this.name = 'HouseError';
    this.code = code;
  }
}
