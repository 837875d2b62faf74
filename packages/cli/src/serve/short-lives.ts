/** Tells V8 what it would guess wrongly: nothing of a call outlives it. */

import { setFlagsFromString } from 'node:v8';

/**
 * Where objects of one place in the code survive a few collections, V8 takes them for lasting and makes all
 * later ones among the old. The first calls of a gateway look like that. From then on every call would leave
 * its messages there, with all that they hold on to, and be collected at several times the cost.
 */
export function expectShortLives(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
