/** The route to one offered item. */

import type { Call } from './call.js';
import type { Item } from './item.js';
import type { Reply } from './reply.js';
import type { Sight } from './sight.js';
import type { Target } from './target.js';

/** Ask the source for a new route after it has announced a change. */
export interface Route {
  /** The item, as its server defines it. */
  readonly item?: Item;
  /** Its identity and label, if a hub gave it one. */
  readonly target?: Target;
  /**
   * The definition for a caller who may see only some of the tools behind this one; `undefined` if
   * it may see none of them. Missing if nothing is behind it.
   */
  seenBy?(sight: Sight): Item | undefined;
  /** Set for the tool with which a caller links an account. Who may use anything of its server sees it. */
  readonly isSignIn?: true;
  /** Sends a call to the item. Rejects if no reply came; never throws. */
  send(call: Call): Promise<Reply>;
}
