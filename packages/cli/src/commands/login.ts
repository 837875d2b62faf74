/** `callsign login`: signs in to a remote server with OAuth, in a browser. */

import { openBrowser, signIn, SignInError } from '@callsign/auth';
import { hasOwnCredential } from '@callsign/gateway/host';

import type { CommandModule, Context } from '../command/command.js';
import { countOf } from '../command/count-flag.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, interruption } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
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
        'Signs in to a remote server, in the browser. Exits with 3 if the sign-in fails.',
      )
      .argument('<server>', 'its key in the configuration')
      .option('--no-browser', 'only print the address to visit')
      .option('--timeout <seconds>', `how long to wait for you (default: ${USUAL_PATIENCE})`);
  },

  async run(context, { words: [key = ''], options }) {
    const { json, out, say } = context;
    const timeoutMs = countOf('--timeout', options.timeout ?? USUAL_PATIENCE) * 1000;
    const config = await requireConfig(context);
    const server = requireRemote(config, key);
    if (hasOwnCredential(server)) {
      const message = `"${key}" has an Authorization header in ${config.file}, which is used instead. Remove it to sign in.`;
      throw new Failure({ exit: EXIT.usage, code: 'has-credential', message });
    }
    const { oauth } = server.settings;
    const signals = new EndSignal();
    try {
      const signedIn = withSignInTools(context, config, server, (tools) =>
        signIn(server, {
          ...tools,
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

/** Announced as data too, because scripts wait for the address. */
function tell({ stderr }: Context, { href }: URL, { browser }: LoginOptions): void {
  const sentence = browser
    ? `Your browser should open. If it does not, visit: ${href}`
    : `Visit: ${href}`;
  stderr.announce(sentence, { visit: href });
}
