/** People's sign-ins to the gateway of a configuration, as commands use them. */

import { endSignIn, type CallerSignIn } from '@callsign/auth';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
import { withStateStores } from '../fleet/state-stores.js';

/** A sign-in without anything that is secret. Times are ISO 8601. */
interface ShownSignIn {
  readonly id: string;
  /** As records show it. */
  readonly person: string;
  /** What people call the person. */
  readonly name?: string;
  readonly client: string;
  readonly clientId: string;
  readonly roles: readonly string[];
  readonly since: string;
  readonly lastTokens: string;
  readonly ends: string;
}

interface CallerSignIns {
  /** The oldest first. */
  list(): readonly ShownSignIn[];
  /** Returns those that were there. They end at once, in every running gateway. */
  revoke(ids: readonly string[]): Promise<readonly string[]>;
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
    const rolesOf = ({ person: { keyHash, roles } }: CallerSignIn): readonly string[] =>
      keyHash === undefined ? roles : (allKeys.find(({ hash }) => hash === keyHash)?.roles ?? []);
    const resource = `${signIn.origin}/mcp`;
    return await work({
      list: () =>
        store
          .get()
          // Other gateways of this user keep theirs in the same file.
          .signIns.filter((each) => each.resource === resource && each.endsAt > Date.now())
          .map((each) => ({
            id: each.id,
            person: each.person.name,
            ...(each.person.label === undefined ? {} : { name: each.person.label }),
            client: each.client.host,
            clientId: each.client.id,
            roles: rolesOf(each),
            since: timeOf(each.createdAt),
            lastTokens: timeOf(each.renewedAt),
            ends: timeOf(each.endsAt),
          })),
      revoke: (ids) =>
        store.change((state) => ids.filter((id) => endSignIn(state, id) !== undefined)),
    });
  });
}

function timeOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
