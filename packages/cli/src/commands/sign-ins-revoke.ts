/** `callsign sign-ins revoke`: a client may no longer act for a person. */

import { counted } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { withCallerSignIns } from '../governed/caller-sign-ins.js';

interface RevokeOptions {
  readonly person?: string;
  readonly all?: boolean;
}

export const command: CommandModule<RevokeOptions> = {
  describe(line) {
    line
      .description(
        'Ends sign-ins: their tokens are refused from the next request on. ' +
          'The person can sign in again, unless you also take away their key or their account.',
      )
      .argument('[ids...]', 'ids of "callsign sign-ins list"')
      .option('--person <name>', 'all sign-ins of this person, such as key:ann')
      .option('--all', 'all sign-ins to this gateway');
  },

  async run(context, { words: ids, options: { person, all = false } }) {
    const { json, out, say } = context;
    const ways = [ids.length > 0, person !== undefined, all].filter(Boolean).length;
    if (ways !== 1) throw usageFailure('Name ids, or --person NAME, or --all.');
    return await withCallerSignIns(context, async ({ list, revoke }) => {
      const known = list();
      const unknown = ids.find((id) => !known.some((each) => each.id === id));
      if (unknown !== undefined)
        throw usageFailure(`There is no sign-in "${unknown}". See: callsign sign-ins list`);
      // All in one change: a client that gets its tokens at this moment loses them too.
      const which = all ? { all } : person === undefined ? { ids } : { person };
      const revoked = await revoke(which);
      if (person !== undefined && revoked.length === 0)
        throw usageFailure(`"${person}" is not signed in. See: callsign sign-ins list`);
      if (json) out.json({ revoked });
      else say(`${counted(revoked.length, 'sign-in')} ended.`);
      return EXIT.ok;
    });
  },
};
