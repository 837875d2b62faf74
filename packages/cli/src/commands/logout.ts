/** `callsign logout`: revokes the tokens of a sign-in and deletes them here. */

import { accountSignIns, LOCAL_PERSON, removeAccount, signOut } from '@callsign/auth';
import type { GatewayConfig, RemoteServer } from '@callsign/gateway/host';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
import { withStateStores } from '../fleet/state-stores.js';
import { requireRemote, type SignInTools, withSignInTools } from '../governed/remote-server.js';

const SENTENCES = {
  revoked: 'Signed out. The tokens are revoked.',
  forgotten:
    'Signed out: the tokens are deleted here. The authorization server did not revoke them, so they expire later.',
  'was-not-signed-in': 'There was no sign-in.',
} as const;

export const command: CommandModule = {
  describe(line) {
    line
      .description('Signs out of a remote server: its tokens are revoked and deleted.')
      .argument('<server>', 'its key in the configuration');
  },

  async run(context, { words: [key = ''] }) {
    const { json, out, say } = context;
    const config = await requireConfig(context);
    const found = config.servers.find((each) => each.key === key);
    if (found?.settings.accounts?.slots) return await forgetValues(context, config, key);
    const server = requireRemote(config, key);
    const done = await withSignInTools(context, config, server, (tools) =>
      signedOut(server, tools).catch(({ message }: Error) => {
        throw new Failure({ exit: EXIT.usage, code: 'cannot-sign-out', message });
      }),
    );
    if (json) out.json({ server: key, signedOut: done });
    else say(SENTENCES[done]);
    return EXIT.ok;
  },
};

/** The account of the operator, which has no tokens that could be revoked. */
async function forgetValues(
  context: Context,
  config: GatewayConfig,
  server: string,
): Promise<number> {
  const { json, out, say } = context;
  const place = { person: LOCAL_PERSON, server };
  const wasThere = await withStateStores(context, config, ({ accounts }) =>
    removeAccount(accounts, place, undefined),
  );
  const done = wasThere ? 'forgotten' : 'was-not-signed-in';
  if (json) out.json({ server, signedOut: done });
  else say(wasThere ? 'Your account is deleted here.' : SENTENCES[done]);
  return EXIT.ok;
}

/** If callers have accounts at the server, it is the one of the operator. */
async function signedOut(server: RemoteServer, tools: SignInTools): ReturnType<typeof signOut> {
  const { accounts: store, fetch } = tools;
  if (!server.settings.accounts) return await signOut(server, tools);
  const account = await store.read({ person: LOCAL_PERSON, server: server.key });
  if (!account) return 'was-not-signed-in';
  return await signOut(server, { store: accountSignIns(store, account), fetch });
}
