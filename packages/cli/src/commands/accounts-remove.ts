/** `callsign accounts remove`: a person's accounts at servers are not used any more. */

import { counted } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { withPeopleAccounts } from '../governed/people-accounts.js';

interface RemoveOptions {
  readonly person?: string;
  readonly server?: string;
  readonly all?: boolean;
}

export const command: CommandModule<RemoveOptions> = {
  describe(line) {
    line
      .description(
        'Removes accounts at once, running sessions included, and revokes their tokens if possible. ' +
          'The person can link an account again, unless you also take away their key.',
      )
      .option('--person <name>', 'the accounts of this person, such as key:ann')
      .option('--server <key>', 'the accounts at this server')
      .option('--all', 'all accounts');
  },

  async run(context, { options: { person, server, all = false } }) {
    const { json, out, say } = context;
    if (all === (person !== undefined || server !== undefined))
      throw usageFailure('Name --person NAME, or --server KEY, or both, or --all.');
    return await withPeopleAccounts(context, async ({ list, remove }) => {
      const meant = list().filter(
        (each) =>
          (person === undefined || each.person === person) &&
          (server === undefined || each.server === server),
      );
      if (!all && meant.length === 0)
        throw usageFailure('There is no such account. See: callsign accounts list');
      const removed = await remove(meant);
      if (json) out.json({ removed });
      else say(`${counted(removed.length, 'account')} removed.`);
      return EXIT.ok;
    });
  },
};
