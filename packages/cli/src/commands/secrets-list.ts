/** `callsign secrets list`: the names of secrets. Never shows a value. */

import { secretStore } from '@callsign/gateway/host';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { secretUsers } from '../setup/stored-secrets.js';

export const command: CommandModule = {
  describe(line) {
    line.description(
      'Lists the names of your secrets: where each is, and which servers of the configuration use it.',
    );
  },

  async run({ env, file, json, out, say }) {
    const stored = await secretStore(env).list();
    const secrets = stored.map((each) => ({ ...each, usedBy: secretUsers(file, each.name) }));
    if (json) out.json({ secrets });
    else if (secrets.length === 0) {
      say('There are no secrets. To store one: callsign secrets set NAME');
    } else {
      out.table(secrets, [
        { title: 'NAME', text: ({ name }) => name, tint: () => 'name', isWhole: true },
        { title: 'IN', text: (each) => (each.in === 'file' ? 'sealed file' : 'keychain') },
        { title: 'USED BY', text: ({ usedBy }) => usedBy.join(', ') },
      ]);
    }
    return EXIT.ok;
  },
};
