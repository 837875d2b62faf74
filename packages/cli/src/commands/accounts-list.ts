/** `callsign accounts list`: who has linked an account at which server. */

import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { withPeopleAccounts } from '../governed/people-accounts.js';

export const command: CommandModule = {
  describe(line) {
    line.description(
      'Lists the accounts that people linked at servers. "local" is the operator, who runs the gateway on this machine.',
    );
  },

  async run(context) {
    const { json, out, say } = context;
    return await withPeopleAccounts(context, ({ list }) => {
      const accounts = list();
      if (json) out.json({ accounts });
      else if (accounts.length === 0) say('No one has linked an account.');
      else {
        out.table(accounts, [
          {
            title: 'PERSON',
            text: ({ person }) => onOneLine(person),
            tint: () => 'name',
            isWhole: true,
          },
          { title: 'NAME', text: ({ name = '' }) => onOneLine(name), isOptional: true },
          { title: 'SERVER', text: ({ server }) => onOneLine(server), isWhole: true },
          { title: 'SINCE', text: ({ since }) => since },
        ]);
        say('To remove them: callsign accounts remove --person PERSON');
      }
      return EXIT.ok;
    });
  },
};
