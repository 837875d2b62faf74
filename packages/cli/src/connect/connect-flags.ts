/** The flags of `callsign connect`, for its help. `connect.ts` reads them, to start fast. */

import type { Command } from 'commander';

export const command = {
  describe(line: Command): void {
    line
      .description(
        'Connects a client on standard input and output to your gateway of this configuration. All ' +
          'clients share it, its servers and its console. It is started if it does not run.',
      )
      .option('--profile <name>', 'use the names of this profile')
      .option('--set <name>', 'see and call only what is in this set');
  },
};
