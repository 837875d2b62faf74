/** `callsign disable`: disables a server and keeps its entry. */

import type { CommandModule } from '../command/command.js';
import { switchServer } from '../config-file/server-switch.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description('Disables a server. Its entry stays. A running gateway stops the server.')
      .argument('<server>', 'its key in the configuration');
  },

  async run(context, { words: [server = ''] }) {
    return switchServer(context, server, false);
  },
};
