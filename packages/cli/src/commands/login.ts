/** `callsign login`: signs in to a remote server with OAuth, in a browser. */

import { text as readAll } from 'node:stream/consumers';

import {
  type AccountStore,
  LOCAL_PERSON,
  newAccountId,
  openBrowser,
  signIn,
  SignInError,
  type SignInStore,
  valueProblem,
} from '@callsign/auth';
import { type GatewayConfig, hasOwnCredential, slotsOf } from '@callsign/gateway/host';
import { askSecret } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { countOf } from '../command/count-flag.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, interruption, usageFailure } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
import { withStateStores } from '../fleet/state-stores.js';
import { requireRemote, withSignInTools } from '../governed/remote-server.js';

interface LoginOptions {
  /** False with `--no-browser`. */
  readonly browser: boolean;
  readonly timeout?: string;
}

const USUAL_PATIENCE = '300';

export const command: CommandModule<LoginOptions> = {
  describe(line) {
    line
      .description(
        'Signs in to a remote server, in the browser. If callers have accounts there, it links yours, for clients on this machine. Exits with 3 if the sign-in fails.',
      )
      .argument('<server>', 'its key in the configuration')
      .option('--no-browser', 'only print the address to visit')
      .option('--timeout <seconds>', `how long to wait for you (default: ${USUAL_PATIENCE})`);
  },

  async run(context, { words: [key = ''], options }) {
    const { json, out, say } = context;
    const timeoutMs = countOf('--timeout', options.timeout ?? USUAL_PATIENCE) * 1000;
    const config = await requireConfig(context);
    const found = config.servers.find((each) => each.key === key);
    const slots = found && slotsOf(found);
    if (slots) return await fillIn(context, config, key, slots);
    const server = requireRemote(config, key);
    const { oauth, accounts } = server.settings;
    if (!accounts && hasOwnCredential(server)) {
      const message = `"${key}" has an Authorization header in ${config.file}, which is used instead. Remove it to sign in.`;
      throw new Failure({ exit: EXIT.usage, code: 'has-credential', message });
    }
    const signals = new EndSignal();
    try {
      const signedIn = withSignInTools(context, config, server, (tools) =>
        signIn(server, {
          ...tools,
          ...(accounts ? { store: ownAccount(tools.accounts) } : {}),
          timeoutMs,
          onUrl: (url) => tell(context, url, options),
          ...(oauth ? { oauth } : {}),
          ...(options.browser ? { openBrowser } : {}),
        }),
      );
      const interrupted = signals.asked.then(() => Promise.reject(interruption()));
      await Promise.race([signedIn, interrupted]);
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      const { message } = error;
      throw new Failure({ exit: EXIT.authentication, code: 'authentication', message });
    } finally {
      signals.release();
    }
    if (json) out.json({ server: key, signedIn: true });
    else say(`Signed in to "${key}".`);
    return EXIT.ok;
  },
};

/** Asks for what each caller fills in, or reads it from standard input: a line for each. */
async function fillIn(
  context: Context,
  config: GatewayConfig,
  server: string,
  slots: NonNullable<ReturnType<typeof slotsOf>>,
): Promise<number> {
  const found = config.servers.find(({ key }) => key === server);
  const url = found && 'url' in found ? found.url : undefined;
  const { shell, isInteractive, json, out, say } = context;
  const lines = isInteractive ? [] : (await readAll(shell.stdin)).split(/\r?\n/);
  const values: Record<string, string> = {};
  for (const { name, label } of slots) {
    const value = isInteractive ? await askSecret(`${label}:`) : (lines.shift() ?? '');
    const problem = valueProblem(value.trim());
    if (problem !== undefined) throw usageFailure(`"${label}" (${name}) ${problem}.`);
    values[name] = value.trim();
  }
  const account = { id: newAccountId(), person: LOCAL_PERSON, server, createdAt: Date.now() };
  await withStateStores(context, config, ({ accounts }) =>
    accounts.change(account, () => ({ ...account, values, url })),
  );
  if (json) out.json({ server, signedIn: true });
  else say(`Linked your account at "${server}".`);
  return EXIT.ok;
}

/** Stores a sign-in as the account of the operator, for clients without a credential. */
function ownAccount(store: AccountStore): Pick<SignInStore, 'probe' | 'save'> {
  return {
    probe: () => store.probe(),
    save: async (record) => {
      const { server } = record;
      const account = { id: newAccountId(), person: LOCAL_PERSON, server, createdAt: Date.now() };
      await store.change(account, () => ({ ...account, signIn: record }));
    },
  };
}

/** Announced as data too, because scripts wait for the address. */
function tell({ stderr }: Context, { href }: URL, { browser }: LoginOptions): void {
  const sentence = browser
    ? `Your browser should open. If it does not, visit: ${href}`
    : `Visit: ${href}`;
  stderr.announce(sentence, { visit: href });
}
