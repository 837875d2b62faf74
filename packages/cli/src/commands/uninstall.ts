/** `callsign uninstall`: takes Callsign out of a client's file. */

import { backupOf, entryIn, uninstall } from '../clients/client-install.js';
import { installationIn } from '../clients/own-entry.js';
import type { CommandModule } from '../command/command.js';
import { readText } from '../config-file/config-text.js';
import { EXIT } from '../command/exit-code.js';

interface UninstallOptions {
  readonly client?: string;
  readonly dryRun?: true;
}

export const command: CommandModule<UninstallOptions> = {
  describe(line) {
    line
      .description('Takes Callsign out of the file of a client, and leaves the rest as it is.')
      .option('--client <name>', 'the client, such as cursor')
      .option('--dry-run', 'say what would happen, and write nothing');
  },

  async run(context, { options: { client, dryRun } }) {
    const { json, out, say } = context;
    const installation = installationIn(context, client);
    const { app, file } = installation;
    const isThere = entryIn(installation, readText(file) ?? '') !== undefined;
    const done = dryRun ? undefined : uninstall(installation);
    if (json) out.json({ client: app.id, file, installed: isThere, done: done ?? 'nothing' });
    else if (!isThere) say(`${app.label} does not have Callsign: ${file}`);
    else if (done === undefined) say(`Nothing was written. Callsign would leave ${file}.`);
    else if (done === 'restored') say(`${file} is as it was before Callsign.`);
    else say(`Callsign has left ${file}. The file from before: ${backupOf(file)}`);
    return EXIT.ok;
  },
};
