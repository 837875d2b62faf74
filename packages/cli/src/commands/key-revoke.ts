/** `callsign key revoke`: an API key no longer counts. */

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { accountsOf } from '../governed/people-accounts.js';
import { withKeys } from '../setup/key-places.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description(
        'Removes an API key from the configuration, or with "auth.sharedKeys" from the database, ' +
          'where it ends on all instances at once.',
      )
      .argument('<name>', 'the holder of the key');
  },

  async run(context, { words: [name = ''] }) {
    const { json, out, say } = context;
    return await withKeys(context, async ({ file, shared, takesTokens, config }) => {
      const from: string[] = [];
      for (const store of [shared, file]) {
        if (store && (await store.remove(name))) from.push(store.place);
      }
      if (from.length === 0)
        throw usageFailure(`There is no key "${name}". See: callsign key list`);
      const person = `key:${name}`;
      const accounts = await accountsOf(context, config, person);
      if (json) out.json({ name, from, accounts });
      else say(`The key "${name}" was removed from ${from.join(' and ')}.`);
      if (accounts.length > 0) {
        say(
          `${person} still has accounts at ${accounts.join(', ')}. A new key with this name would use them. ` +
            `To remove them: callsign accounts remove --person ${person}`,
        );
      }
      if (!takesTokens && [shared, file].every((store) => (store?.list().length ?? 0) === 0)) {
        say('No caller is accepted over HTTP now. To add a key: callsign key add NAME');
      }
      return EXIT.ok;
    });
  },
};
