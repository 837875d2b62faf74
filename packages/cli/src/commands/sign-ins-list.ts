/** `callsign sign-ins list`: who is signed in to the gateway, and with which clients. */

import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { withCallerSignIns } from '../governed/caller-sign-ins.js';

export const command: CommandModule = {
  describe(line) {
    line.description(
      'Lists the people who signed in to this gateway, and the clients that they allowed. ' +
        'A person who signs in with two clients is listed twice.',
    );
  },

  async run(context) {
    const { json, out, say } = context;
    return await withCallerSignIns(context, ({ list }) => {
      const signIns = list();
      if (json) out.json({ signIns });
      else if (signIns.length === 0) say('No one is signed in.');
      else {
        out.table(signIns, [
          { title: 'ID', text: ({ id }) => id, tint: () => 'name', isWhole: true },
          { title: 'PERSON', text: ({ person }) => person, isWhole: true },
          { title: 'NAME', text: ({ name = '' }) => onOneLine(name), isOptional: true },
          { title: 'CLIENT', text: ({ client }) => onOneLine(client) },
          { title: 'ROLES', text: ({ roles }) => roles.join(', '), isOptional: true },
          { title: 'SINCE', text: ({ since }) => since },
          { title: 'LAST TOKENS', text: ({ lastTokens }) => lastTokens, isOptional: true },
          { title: 'ENDS', text: ({ ends }) => ends },
        ]);
        say('To end one: callsign sign-ins revoke ID');
      }
      return EXIT.ok;
    });
  },
};
