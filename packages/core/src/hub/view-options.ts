/** How items are named and labelled for a client, and which of them it sees. */

import type { NameTableOptions } from '@callsign/naming';

import type { Sight } from '../call/sight.js';
import type { Target } from '../call/target.js';

export interface ViewOptions extends NameTableOptions {
  /** Whether titles name the server. */
  readonly titles?: boolean;
  /** Whether inferred hints are added to the annotations of tools whose server is silent. */
  readonly annotate?: boolean;
  /** Whether calls of a tool may wait for an operator. Such a tool may be called as a task. */
  readonly mayWait?: (target: Target) => boolean;
  /** What the client may see and call. Unset: everything. */
  readonly sees?: Sight;
}
