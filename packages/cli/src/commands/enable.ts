/** `callsign enable`: enables a server that was disabled. */

import type { CommandModule } from '../command/command.js';
import { switchServer } from '../config-file/server-switch.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description('Enables a server that was disabled. A running gateway starts it.')
      .argument('<server>', 'its key in the configuration');
  },

  async run(context, { words: [server = ''] }) {
    return switchServer(context, server, true);
  },
};
