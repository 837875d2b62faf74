/** Options of the two hubs: the one that clients see, and the one behind the views of servers. */

import type { HubOptions, Target } from '@callsign/core';

import type { ModuleHost } from '../modules/module-host.js';
import type { Labels } from '../servers/labels.js';

/** What both hubs have in common. All members follow the current configuration. */
export interface HubParts {
  /** The labels of the current configuration. */
  readonly labels: () => Labels;
  readonly modules: Pick<ModuleHost, 'path' | 'withholds' | 'admitsText'>;
  /** Sees every target before it is offered or withheld. */
  readonly look: (target: Target) => void;
}

/** The hub behind a view of a server, or the tools of a server without one. */
export function serverHubOptions({ labels, modules, look }: HubParts): HubOptions {
  return {
    interceptors: () => modules.path,
    admits: (kind, ref) => labels().admits(kind, ref),
    withholds: (target) => {
      // It is ours, and changes only with the gateway.
      if (target.isSignIn) return undefined;
      look(target);
      return modules.withholds(target);
    },
    admitsText: (server, text) =>
      labels().showsInstructions(server) && modules.admitsText(server, text),
    label: (ref, item) => labels().label(ref, item),
    displayName: (server) => labels().displayName(server),
  };
}

/** The hub that clients see. A view's tools are ours; the tools that they call are governed behind the view. */
export function clientHubOptions(
  own: HubOptions,
  isViewed: (server: string) => boolean,
): HubOptions {
  const { interceptors = [], admits, withholds, label } = own;
  return {
    ...own,
    interceptors: (ref) => {
      if (isViewed(ref.server)) return [];
      return typeof interceptors === 'function' ? interceptors(ref) : interceptors;
    },
    admits: (kind, ref) => isViewed(ref.server) || admits!(kind, ref),
    withholds: (target) => (isViewed(target.ref.server) ? undefined : withholds!(target)),
    label: (ref, item) => (isViewed(ref.server) ? { trust: 'full' } : label!(ref, item)),
  };
}
