/** The route to one offered item. */

import type { Call } from './call.js';
import type { Item } from './item.js';
import type { Reply } from './reply.js';
import type { Target } from './target.js';

export interface Route {
  /** The item, as its server defines it. */
  readonly item?: Item;
  /** Its identity and label, if a hub gave it one. */
  readonly target?: Target;
  send(call: Call): Promise<Reply>;
}
