/** `callsign import`: brings the servers of other clients into the configuration. Starts nothing. */

import { CLIENT_APPS } from '@callsign/config';
import { clientServers, importServers } from '../clients/import-run.js';
import type { CommandModule } from '../command/command.js';

interface ImportFlags {
  readonly dryRun?: true;
  readonly select?: true;
}

export const command: CommandModule<ImportFlags> = {
  describe(line) {
    const clients = CLIENT_APPS.map(({ id }) => id).join(', ');
    line
      .description('Brings servers of other clients into the configuration. Starts nothing.')
      .argument('[source]', `${clients}, or a file; all clients if absent`)
      .option('--dry-run', 'show what would come, and write nothing')
      .option('--select', 'ask which ones');
  },

  async run(context, { words: [source], options: { dryRun, select } }) {
    const servers = clientServers(context, source);
    return importServers(context, servers, { dryRun: dryRun === true, select: select === true });
  },
};
