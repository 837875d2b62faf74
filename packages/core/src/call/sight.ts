/**
 * What one caller may see. Lists, calls, reads, subscriptions, completions, logs and questions all
 * use this one function, so that nothing shows what another part hides.
 */

import type { Target } from './target.js';

/**
 * Whether the caller may see and use an item. The target is concrete: for a resource behind a
 * template it has the URI that is read. There is one function object per view, so results can be
 * cached by it.
 */
export type Sight = (target: Target) => boolean;
