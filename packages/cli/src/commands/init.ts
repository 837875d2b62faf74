/**
 * `callsign init`: creates a configuration from the servers of this machine's clients. Starts
 * nothing.
 */

import { readText } from '../clients/files/text-file.js';
import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { warnOfCommands } from '../setup/entry-warnings.js';
import { clientServers, importServers } from '../setup/import-run.js';

interface InitOptions {
  readonly yes?: true;
  readonly project?: true;
  readonly dryRun?: true;
}

export const command: CommandModule<InitOptions> = {
  describe(line) {
    line
      .description(
        'Creates a configuration from the servers of your clients. Starts nothing. ' +
          'The guided way, which also installs Callsign in your clients: callsign setup',
      )
      .option('-y, --yes', 'import all of your own servers without asking')
      .option('--project', 'also import the servers of the project in this folder')
      .option('--dry-run', 'show what would be imported, and write nothing');
  },

  async run(context, { options: { yes, project, dryRun } }) {
    const { file, isInteractive, say } = context;
    if (readText(file) !== undefined) {
      const message = `There is already a configuration at ${file}. To add to it: callsign import`;
      throw new Failure({ exit: EXIT.usage, code: 'config-exists', message });
    }
    const servers = clientServers(context, undefined);
    const isAsked = isInteractive && yes !== true && dryRun !== true;
    const code = await importServers(context, servers, {
      keychain: 'leave',
      dryRun: dryRun === true,
      select: isAsked,
      project: project ? 'take' : isAsked ? 'ask' : 'leave',
    });
    if (!dryRun) await warnOfCommands(context);
    if (servers.length === 0) say('No client has any servers. Next: callsign add NAME -- COMMAND');
    else if (!dryRun) say('Next: callsign doctor, then callsign install');
    return code;
  },
};
