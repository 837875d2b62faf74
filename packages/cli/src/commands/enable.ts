/** `callsign enable`: switches a server on. */

import type { CommandModule } from '@callsign/command';
import { switchServer } from '../config-file/server-switch.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description('Switches a server on that was switched off. A running gateway starts it.')
      .argument('<server>', 'its key in the configuration');
  },

  async run(context, { words: [server = ''] }) {
    return switchServer(context, server, true);
  },
};
