/** `callsign validate`: checks a configuration. Starts nothing. */

import { formatProblems } from '@callsign/config';
import { loadConfig } from '@callsign/gateway/host';
import { counted } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { configPath } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { configFailure } from '../config-file/config-text.js';

export const command: CommandModule = {
  describe(line) {
    line
      .summary('check a configuration')
      .description('Checks a configuration and says what to correct. Starts nothing.')
      .argument('[file]', 'the configuration, instead of --config');
  },

  async run({ file: usual, env, json, out, say }, { words: [written] }) {
    const file = written === undefined ? usual : configPath(written);
    const loaded = await loadConfig(file, { env });
    if (!loaded.ok) throw configFailure(file, loaded.problems);
    const { config, warnings } = loaded;
    const servers = config.servers.map(({ key }) => key);
    if (json) out.json({ file, valid: true, servers, warnings });
    else {
      if (warnings.length > 0) out.lines(formatProblems(warnings));
      say(`${file} is valid: ${counted(servers.length, 'server')}.`);
    }
    return EXIT.ok;
  },
};
