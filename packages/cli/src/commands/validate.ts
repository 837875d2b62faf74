/** `callsign validate`: checks a configuration, and tries the database of its storage. Starts nothing. */

import { formatProblems } from '@callsign/config';
import { loadConfig, tryStorage } from '@callsign/gateway/host';
import { counted } from '@callsign/terminal';

import { readBytes } from '../clients/files/text-file.js';
import { needsYes } from '../command/accepted-configs.js';
import type { CommandModule } from '../command/command.js';
import { type ConfigPlace, configPath } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { storageFailure } from '../command/failure.js';
import { configFailure } from '../config-file/config-text.js';

interface ValidateOptions {
  readonly offline?: boolean;
}

export const command: CommandModule<ValidateOptions> = {
  describe(line) {
    line
      .summary('check a configuration')
      .description(
        'Checks a configuration and says what to correct. If it has "storage", tries that database. ' +
          'Starts nothing.',
      )
      .argument('[file]', 'the configuration, instead of --config')
      .option('--offline', 'do not try the database');
  },

  async run(context, { words: [written], options }) {
    const { env, json, out, say } = context;
    const place: ConfigPlace =
      written === undefined ? context : { file: configPath(written, context), origin: 'flag' };
    const { file, origin } = place;
    // The content that was accepted must be the content that is tried.
    const bytes = origin === 'folder' ? readBytes(file) : undefined;
    const loaded = await loadConfig(file, { env, bytes });
    if (!loaded.ok) throw configFailure(file, loaded.problems);
    const { config, warnings } = loaded;
    if (!json && warnings.length > 0) out.lines(formatProblems(warnings));
    const { storage } = config.settings;
    if (storage && !options.offline) {
      // The URL may send a variable to an address that someone else has chosen.
      if (needsYes(place, env, bytes)) {
        say('The database was not tried, since this file was not accepted: callsign config accept');
      } else {
        const problem = await tryStorage(storage, { env, secrets: config.secrets });
        if (problem) throw storageFailure(new Error(`${problem.message}; ${problem.advice}`));
      }
    }
    const servers = config.servers.map(({ key }) => key);
    if (json) out.json({ file, valid: true, servers, warnings });
    else say(`${file} is valid: ${counted(servers.length, 'server')}.`);
    return EXIT.ok;
  },
};
