/** How items are named and labelled for a client, and which of them it sees. */

import type { NameTableOptions } from '@callsign/naming';

import type { Sight } from '../call/sight.js';
import type { Target } from '../call/target.js';

export interface ViewOptions extends NameTableOptions {
  /** Whether titles name the server. */
  readonly titles?: boolean;
  /** Whether inferred hints are added to the annotations of tools whose server is silent. */
  readonly annotate?: boolean;
  /** Whether the schemas of results are left out, because the client may get other results. */
  readonly hidesOutputSchema?: boolean;
  /**
   * Whether the source signs people in. What servers say about signing in to them is then left out: a client would take
   * their scopes for ours.
   */
  readonly signsIn?: boolean;
  /** Whether calls of a tool may wait for an operator. Such a tool may be called as a task. */
  readonly mayWait?: (target: Target) => boolean;
  /** What the client may see and call. Default: everything. */
  readonly sees?: Sight;
  /** What the client does not see because it has chosen a set: a call to it is answered as denied. */
  readonly outside?: Sight;
}
