/** `callsign key add`: makes an API key and stores its hash, in the configuration or in the shared database. */

import { CONSOLE_LEVELS } from '@callsign/auth';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { accountsOf } from '../governed/people-accounts.js';
import { setProblem } from '../config-file/set-problem.js';
import { withKeys } from '../setup/key-places.js';
import { newKey, type NewKeyOptions } from '../setup/new-key.js';

interface AddOptions extends NewKeyOptions {
  readonly console?: string;
}

export const command: CommandModule<AddOptions> = {
  describe(line) {
    line
      .description(
        'Creates an API key, prints it once, and stores its hash: in the configuration, or with ' +
          '"auth.sharedKeys" in the database, where it counts on all instances at once.',
      )
      .argument('<name>', 'the name of its holder; records show it as key:NAME')
      .option('--roles <roles>', 'roles of its holder, separated by commas')
      .option('--set <name>', 'the set that its holder gets at every address')
      .option('--console <level>', `access to the console: ${CONSOLE_LEVELS.join(' or ')}`);
  },

  async run(context, { words: [name = ''], options }) {
    const { json, out, say } = context;
    const level = CONSOLE_LEVELS.find((each) => each === options.console);
    if (options.console !== undefined && level === undefined) {
      throw usageFailure(`--console is ${CONSOLE_LEVELS.join(' or ')}, not "${options.console}".`);
    }
    return await withKeys(context, async ({ file, shared, roles, config }) => {
      const unknown = setProblem(options.set, config);
      if (unknown !== undefined) throw usageFailure(unknown);
      const store = shared ?? file;
      const { key, entry } = newKey(context, name, options, roles);
      const wanted = { ...entry, ...(level === undefined ? {} : { console: level }) };
      // A key of the file would count instead of a shared one with its name.
      const isInFile = file.list().some((each) => each.name === name);
      if (isInFile || !(await store.add(wanted))) {
        const place = isInFile ? file.place : store.place;
        throw usageFailure(
          `There is already a key "${name}" in ${place}. Choose another name, or remove it first: callsign key revoke ${name}`,
        );
      }
      const person = `key:${name}`;
      const accounts = await accountsOf(context, config, person);
      if (json) {
        out.json({ key, name, place: store.place, accounts });
        return EXIT.ok;
      }
      say(`For the client, as "Authorization: Bearer KEY". It is shown once and not stored:`);
      out.lines(key);
      say(`Its hash is in ${store.place}.`);
      if (accounts.length > 0) {
        say(
          `It uses the accounts that ${person} has at ${accounts.join(', ')}. ` +
            `If it is for another person: callsign accounts remove --person ${person}`,
        );
      }
      return EXIT.ok;
    });
  },
};
