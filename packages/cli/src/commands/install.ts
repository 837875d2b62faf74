/** `callsign install`: puts Callsign into a client's file. Starts nothing. */

import { backupOf, install, installedText, otherServers } from '../clients/client-install.js';
import { installationIn } from '../clients/own-entry.js';
import type { CommandModule } from '../command/command.js';
import { readText, requireText } from '../config-file/config-text.js';
import { EXIT } from '../command/exit-code.js';

interface InstallOptions {
  readonly client?: string;
  readonly dryRun?: true;
}

export const command: CommandModule<InstallOptions> = {
  describe(line) {
    line
      .description('Puts Callsign into the file of a client. Comments stay, a backup is kept.')
      .option('--client <name>', 'the client, such as cursor')
      .option('--dry-run', 'show what would be written, and write nothing');
  },

  async run(context, { options: { client, dryRun } }) {
    const { file: config, json, out, say } = context;
    const installation = installationIn(context, client);
    requireText(config);
    const { app, file, key, entry } = installation;
    const before = readText(file) ?? '';
    const wouldChange = installedText(installation, before) !== before;
    const isChanged = dryRun ? false : install(installation).isChanged;
    const others = otherServers(installation, before);
    if (json) {
      out.json({ client: app.id, file, key, entry, changed: isChanged, wouldChange, others });
      return EXIT.ok;
    }
    if (dryRun) out.lines(JSON.stringify({ [app.section]: { [key]: entry } }, null, 2));
    if (!wouldChange) say(`${app.label} has Callsign already: ${file}`);
    else if (dryRun) say(`Nothing was written. This would go into ${file}.`);
    else {
      say(`${app.label} has Callsign now: ${file}. Start ${app.label} again to see it.`);
      if (before !== '') say(`The file as it was: ${backupOf(file)}`);
    }
    if (others.length > 0) {
      say(
        `${app.label} still starts these itself; remove those that Callsign serves: ${others.join(', ')}`,
      );
    }
    return EXIT.ok;
  },
};
