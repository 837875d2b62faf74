/** Options of the hub for clients, made of those of the hub behind views. */

import type { HubOptions } from '@callsign/core';

/** A view's tools are ours; the tools that they call are governed behind the view. */
export function shownOptions(own: HubOptions, isViewed: (server: string) => boolean): HubOptions {
  const { interceptors = [], admits, withholds, label } = own;
  return {
    ...own,
    interceptors: (ref) => {
      if (isViewed(ref.server)) return [];
      return typeof interceptors === 'function' ? interceptors(ref) : interceptors;
    },
    admits: (kind, ref) => isViewed(ref.server) || admits!(kind, ref),
    withholds: (target) => !isViewed(target.ref.server) && withholds!(target),
    label: (ref, item) => (isViewed(ref.server) ? { trust: 'full' } : label!(ref, item)),
  };
}
