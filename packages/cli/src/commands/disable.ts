/** `callsign disable`: switches a server off. */

import type { CommandModule } from '@callsign/command';
import { switchServer } from '../config-file/server-switch.js';

export const command: CommandModule = {
  describe(line) {
    line
      .description('Switches a server off. Its entry stays. A running gateway stops the server.')
      .argument('<server>', 'its key in the configuration');
  },

  async run(context, { words: [server = ''] }) {
    return switchServer(context, server, false);
  },
};
