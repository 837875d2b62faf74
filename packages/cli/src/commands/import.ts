/** `callsign import`: imports servers from other clients into the configuration. Starts nothing. */

import { CLIENT_APPS, clientCalled } from '../clients/apps/client-app.js';
import type { CommandModule } from '../command/command.js';
import { clientServers, importServers } from '../setup/import-run.js';

interface ImportFlags {
  readonly dryRun?: true;
  readonly select?: true;
  readonly project?: true;
  readonly keychain?: true;
}

export const command: CommandModule<ImportFlags> = {
  describe(line) {
    const clients = CLIENT_APPS.map(({ id }) => id).join(', ');
    line
      .description('Imports servers from other clients into the configuration. Starts nothing.')
      .argument('[source]', `${clients}, or a file (default: all clients)`)
      .option('--project', 'also import the servers of the project in this folder')
      .option('--keychain', 'move tokens into your keychain without asking')
      .option('--dry-run', 'show what would be imported, and write nothing')
      .option('--select', 'ask which servers to import');
  },

  async run(context, { words: [source], options: { dryRun, select, project, keychain } }) {
    const servers = clientServers(context, source);
    const isFile = source !== undefined && !clientCalled(source);
    const isTaken = project === true || isFile;
    return importServers(context, servers, {
      dryRun: dryRun === true,
      select: select === true,
      keychain: keychain ? 'move' : context.isInteractive && !context.json ? 'ask' : 'leave',
      project: isTaken ? 'take' : context.isInteractive ? 'ask' : 'leave',
    });
  },
};
