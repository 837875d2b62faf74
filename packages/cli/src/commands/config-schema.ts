/** `callsign config schema`: the JSON Schema of a configuration, for editors. */

import { configSchema } from '@callsign/gateway';

import type { CommandModule } from '@callsign/command';
import { EXIT } from '@callsign/command/exit-code';

export const command: CommandModule = {
  describe(line) {
    line.description('Prints the JSON Schema of a configuration, for editors.');
  },

  async run({ out }) {
    out.rawJson(JSON.stringify(configSchema(), null, 2));
    return EXIT.ok;
  },
};
