/** `callsign config schema`: the JSON Schema of a configuration, for editors. */

import { configSchema } from '@callsign/gateway/host';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';

export const command: CommandModule = {
  describe(line) {
    line.description('Prints the JSON Schema of a configuration, for editors.');
  },

  async run({ out }) {
    out.rawJson(JSON.stringify(configSchema(), null, 2));
    return EXIT.ok;
  },
};
