/** `callsign uninstall`: removes Callsign from the files of clients. */

import { existsSync } from 'node:fs';

import { homeIn, stateFolder } from '@callsign/config';

import { readText } from '../clients/files/text-file.js';
import { NOT_INSTALLED, uninstall, type Uninstalled } from '../clients/install/client-install.js';
import { entryIn, type Installation } from '../clients/install/install-text.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { backgroundGateways } from '../governed/background-gateways.js';
import { clientKey } from '../setup/client-key.js';
import { chooseTargets, foundTargets, type TargetOptions } from '../setup/install-targets.js';

interface UninstallFlags extends TargetOptions {
  readonly dryRun?: true;
}

export const command: CommandModule<UninstallFlags> = {
  describe(line) {
    line
      .description(
        'Removes Callsign from the files of clients. Servers that install removed are restored.',
      )
      .argument('[client]', 'one client, such as cursor')
      .option('--client <name>', 'the same, as a flag')
      .option('--all', 'every client that has Callsign')
      .option('--project', 'use the project file in this folder instead of your own')
      .option('--dry-run', 'show what would happen, and write nothing');
  },

  async run(context, { words, options }) {
    const { file: config, json, out } = context;
    const key = clientKey(config);
    const installationOf = (target: Pick<Installation, 'app' | 'file'>): Installation => {
      return { ...target, key, entry: {} };
    };
    const isNamed = words.length > 0 || options.client !== undefined;
    const targets =
      options.all && !isNamed
        ? foundTargets(context, options.project === true).filter((target) =>
            isIn(installationOf(target)),
          )
        : await chooseTargets(
            context,
            options,
            words,
            'Which clients should no longer use Callsign?',
          );
    const ends: End[] = [];
    for (const target of targets) {
      const installation = installationOf(target);
      const isThere = isIn(installation);
      const now = (): Uninstalled | Promise<Uninstalled> =>
        isThere ? uninstall(installation) : NOT_INSTALLED;
      const done = options.dryRun ? undefined : await now();
      ends.push({ installation, isThere, done });
    }
    if (json) {
      const clients = ends.map(({ installation: { app, file }, isThere, done }) => {
        return { client: app.id, file, installed: isThere, done: done?.done ?? 'nothing' };
      });
      out.json({ clients });
      return EXIT.ok;
    }
    if (ends.length === 0) context.say('Callsign is not installed in any client.');
    for (const end of ends) sayEnd(context, end);
    if (options.all && !options.dryRun) await sayWhatStays(context);
    return EXIT.ok;
  },
};

interface End {
  readonly installation: Installation;
  readonly isThere: boolean;
  readonly done: Uninstalled | undefined;
}

function sayEnd({ say }: Context, { installation: { app, file }, isThere, done }: End): void {
  if (!isThere) say(`${app.label} does not have Callsign: ${file}`);
  else if (done === undefined) say(`Nothing was written. Callsign would be removed from ${file}.`);
  else if (done.done === 'restored') say(`Restored ${file}.`);
  else {
    say(`Removed Callsign from ${file}.`);
    if (done.back.length > 0) say(`  put back, without their comments: ${done.back.join(', ')}`);
    if (done.backup !== undefined) say(`  the earlier file: ${done.backup}`);
  }
}

/** Besides the configuration. */
async function sayWhatStays(context: Context): Promise<void> {
  const { env, say } = context;
  const state = stateFolder(homeIn(env));
  if (existsSync(state)) say(`Still there: ${state}, where Callsign stores records and secrets.`);
  const gateways = await backgroundGateways(context, true).catch(() => []);
  if (gateways.length > 0)
    say('A gateway still runs in the background. To stop it: callsign stop --all');
}

function isIn(installation: Installation): boolean {
  return entryIn(installation, readText(installation.file) ?? '') !== undefined;
}
