/** Compares offers by the identity of their lists. */

import type { Offer } from '../source/source.js';

export function sameOffer(a: Offer, b: Offer): boolean {
  return (Object.keys(a) as (keyof Offer)[]).every((key) => a[key] === b[key]);
}
