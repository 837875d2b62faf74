/** `callsign secrets set`: stores a secret in the keychain. Its value is never a word of the command line. */

import { text as readAll } from 'node:stream/consumers';

import { LONGEST_SECRET, SECRET_NAME, secretStore } from '@callsign/gateway/host';
import { askSecret } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { sayPlace, secretUsers } from '../setup/stored-secrets.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description(
        'Stores a secret in the keychain of this system, so that a configuration can name it: ${keychain:NAME}. ' +
          'Without a keychain it goes into a sealed file. Asks for the value, or reads it from standard input.',
      )
      .argument('<name>', 'letters, digits, "_", "-" and "."');
  },

  async run(context, { words: [name = ''] }) {
    const { env, json, out, say } = context;
    if (!SECRET_NAME.test(name)) {
      throw usageFailure('The name of a secret has up to 100 letters, digits, "_", "-" and ".".');
    }
    const value = await valueOf(context, name);
    const stored = await secretStore(env).set(name, value);
    if (json) {
      out.json({ name, ...stored });
      return EXIT.ok;
    }
    sayPlace(context, [name], stored);
    const users = secretUsers(context.file, name);
    say(
      users.length === 0
        ? `To use it, write \${keychain:${name}} in the entry of a server.`
        : `${users.join(', ')} uses it. A running gateway takes the new value with: callsign reload`,
    );
    return EXIT.ok;
  },
};

async function valueOf({ shell, isInteractive }: Context, name: string): Promise<string> {
  const typed = isInteractive
    ? await askSecret(`The value of ${name}:`)
    : (await readAll(shell.stdin)).replace(/\r?\n$/, '');
  if (typed === '') {
    throw usageFailure(
      `There is no value. Pass it on standard input: callsign secrets set ${name} < FILE`,
    );
  }
  if (Buffer.byteLength(typed) > LONGEST_SECRET) {
    throw usageFailure(`A secret has at most ${LONGEST_SECRET} bytes.`);
  }
  if (/[\p{Cc}]/u.test(typed.replaceAll(/[\r\n\t]/g, ''))) {
    throw usageFailure(
      'The value has control characters, so it is not a text that a server can get.',
    );
  }
  return typed;
}
