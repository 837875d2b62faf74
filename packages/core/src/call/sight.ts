/** What one caller may see. Lists, calls, reads, subscriptions, completions, logs and questions all ask this. */

import type { Target } from './target.js';

/**
 * Whether the caller may see and use an item. The target is concrete: for a resource behind a template it holds
 * the URI that is read. One function per view, so that results can be cached by it.
 */
export type Sight = (target: Target) => boolean;
