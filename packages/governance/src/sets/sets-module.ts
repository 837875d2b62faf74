/** Sets as a module: refuses calls of items that are not in the set of their caller. */

import { type Module, setsOf } from '@callsign/core';

import { createSets } from './sets.js';
import type { SetsSettings } from './sets-settings.js';

/**
 * Has `decide` and no `sees`: the views of clients hide what is not in a set, and a call to it must be
 * answered with the name of the set. It also refuses a call that waits while the set changes.
 */
export const setsModule: Module<SetsSettings | undefined> = {
  name: 'sets',
  create({ settings }) {
    if (settings === undefined) return undefined;
    let sets = createSets(settings);
    return {
      decide({ caller, subject, target }) {
        const set = sets.without(setsOf(caller), subject ?? target!);
        return set === undefined
          ? undefined
          : { decision: 'deny', rule: `it is not in the set "${set}"` };
      },
      reload(context) {
        // Without sets it stays, since a connection may still use one that was removed.
        sets = createSets(context.settings);
        return true;
      },
    };
  },
};
