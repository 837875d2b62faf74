/** `callsign init`: makes a configuration of the servers that this machine's clients have. Starts nothing. */

import { clientServers, importServers } from '../clients/import-run.js';
import type { CommandModule } from '../command/command.js';
import { readText } from '../config-file/config-text.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

interface InitOptions {
  readonly yes?: true;
  readonly dryRun?: true;
}

export const command: CommandModule<InitOptions> = {
  describe(line) {
    line
      .description('Makes a configuration of the servers that your clients have. Starts nothing.')
      .option('-y, --yes', 'take all, without a question')
      .option('--dry-run', 'show what would come, and write nothing');
  },

  async run(context, { options: { yes, dryRun } }) {
    const { file, isInteractive, say } = context;
    if (readText(file) !== undefined) {
      const message = `There is a configuration at ${file} already. To add to it: callsign import`;
      throw new Failure({ exit: EXIT.usage, code: 'config-exists', message });
    }
    const servers = clientServers(context, undefined);
    const select = isInteractive && yes !== true && dryRun !== true;
    const code = await importServers(context, servers, { dryRun: dryRun === true, select });
    if (servers.length === 0) say('No client has a server. Next: callsign add NAME -- COMMAND');
    else if (!dryRun) say('Next: callsign doctor, then callsign install --client NAME');
    return code;
  },
};
