/** `callsign reload`: tells running gateways to read their configuration again, if it is valid. */

import { AdminError } from '@callsign/gateway/admin';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
import { reloadInstances } from '../governed/instance-table.js';
import { requireGateways } from '../governed/running-gateways.js';

interface ReloadOptions {
  readonly all?: boolean;
}

export const command: CommandModule<ReloadOptions> = {
  describe(line) {
    line
      .description(
        'Makes the gateways that run this configuration read it again, if it is valid, and start ' +
          'the servers again that they gave up.',
      )
      .option('--all', 'all instances that share its storage; waits until all of them run it');
  },

  async run(context, { options }) {
    const { file, json, out, say } = context;
    await requireConfig(context);
    if (options.all) return await reloadInstances(context);
    const gateways = await requireGateways(context, { config: file });
    try {
      for (const gateway of gateways) await gateway.post('/reload');
    } catch (error) {
      if (!(error instanceof AdminError)) throw error;
      const { message } = error;
      throw new Failure({ exit: EXIT.unreachable, code: 'no-gateway', message });
    }
    const pids = gateways.map(({ identity }) => identity.pid);
    if (json) out.json({ file, reloaded: pids });
    else say(`Told these processes to read ${file} again: ${pids.join(', ')}.`);
    return EXIT.ok;
  },
};
