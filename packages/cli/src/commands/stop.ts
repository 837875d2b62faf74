/** `callsign stop`: stops gateways in the background. */

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { backgroundGateways, stopGateway } from '../governed/background-gateways.js';

interface StopOptions {
  readonly all?: boolean;
}

export const command: CommandModule<StopOptions> = {
  describe(line) {
    line
      .description(
        'Stops your gateway of this configuration. Calls under way may finish. Clients that are still ' +
          'open start it again with their next request.',
      )
      .option('--all', 'the gateways of all your configurations');
  },

  async run(context, { options }) {
    const { file, json, out, say } = context;
    const gateways = await backgroundGateways(context, options.all === true);
    await Promise.all(gateways.map(stopGateway));
    const stopped = gateways.map(({ identity: { pid, config } }) => ({ pid, config }));
    if (json) out.json({ stopped });
    else if (stopped.length === 0)
      say(`No gateway of ${options.all ? 'yours' : file} runs in the background.`);
    else
      for (const { pid, config } of stopped)
        say(`Stopped the gateway of ${config} (process ${pid}).`);
    return EXIT.ok;
  },
};
