/** A page at a path of the listener besides MCP, such as metrics. */

import type { Principal } from '@callsign/core';

export interface Page {
  /** Its media type. */
  readonly type: string;
  /** Served without a credential, even if one is required elsewhere. */
  readonly isPublic?: boolean;
  /** Whether a caller may read it. Unset: every caller that is let in. */
  readonly mayRead?: (principal: Principal | undefined) => boolean;
  readonly text: () => string | Promise<string>;
}
