/** People's sign-ins to the gateway of a configuration, as commands use them. */

import { type Revoked, revokeSignIns } from '@callsign/auth';
import { type ShownSignIn, shownSignIns } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
import { withStateStores } from '../fleet/state-stores.js';

interface CallerSignIns {
  /** The oldest first. */
  list(): readonly ShownSignIn[];
  /** Returns the ids of those that were there. They end at once, in every running gateway. */
  revoke(which: Revoked): Promise<readonly string[]>;
}

/** Works on the store itself, so no gateway has to run. */
export async function withCallerSignIns<T>(
  context: Context,
  work: (signIns: CallerSignIns) => T | Promise<T>,
): Promise<T> {
  const config = await requireConfig(context);
  const { auth } = config.settings;
  const { signIn, keys = [] } = auth ?? {};
  if (!signIn) {
    const message = `${config.file} does not let people sign in. Set "auth.signIn", see docs/sign-in.md.`;
    throw new Failure({ exit: EXIT.usage, code: 'no-sign-in', message });
  }
  return await withStateStores(context, config, async ({ callerSignIns: store, apiKeys }) => {
    const allKeys = [...keys, ...(auth?.sharedKeys ? (apiKeys?.list() ?? []) : [])];
    const resource = `${signIn.origin}/mcp`;
    return await work({
      list: () => shownSignIns(store.get(), { resource, keys: allKeys }),
      revoke: (which) =>
        store.change((state) =>
          revokeSignIns(state, resource, which, Date.now()).map(({ id }) => id),
        ),
    });
  });
}
