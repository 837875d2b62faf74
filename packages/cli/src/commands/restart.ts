/** `callsign restart`: stops the gateway in the background, and starts it again. */

import { setTimeout as sleep } from 'node:timers/promises';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
import { sharedGateway } from '../connect/shared-gateway.js';
import { backgroundArgs, startInBackground, startService } from '../connect/start-gateway.js';
import { backgroundGateways, otherGateways, stopGateway } from '../governed/background-gateways.js';

const START_MS = 15_000;
const LOOK_MS = 50;

export const command: CommandModule = {
  describe(line) {
    line.description('Stops your gateway of this configuration, and starts it again.');
  },

  async run(context) {
    const { env, file, origin, shell, json, out, say } = context;
    await requireConfig(context);
    const before = await backgroundGateways(context, false);
    await Promise.all(before.map(stopGateway));
    const { config, log } = sharedGateway(file, env);
    const program = [process.execPath, shell.script];
    const args = backgroundArgs(config, origin);
    const until = Date.now() + START_MS;
    // Systemd may not have seen yet that its gateway has ended. Then it would not start it.
    if (!startService(program, args, env, { verb: 'restart', until })) {
      startInBackground(program, args, env);
    }
    for (; Date.now() < until; await sleep(LOOK_MS)) {
      const [gateway] = await backgroundGateways(context, false);
      if (!gateway) continue;
      const { pid } = gateway.identity;
      if (json) out.json({ config, pid });
      else if (before.length > 0) say(`The gateway of ${config} runs again (process ${pid}).`);
      else say(`No gateway of ${config} ran in the background. Started one (process ${pid}).`);
      const others = (await otherGateways(context)).map(({ identity }) => identity.pid);
      if (!json && others.length > 0)
        say(`Other gateways of this file were not restarted: process ${others.join(', ')}.`);
      return EXIT.ok;
    }
    const message = `The gateway of ${config} did not start. Its messages are in ${log}`;
    throw new Failure({ exit: EXIT.unreachable, code: 'no-gateway', message });
  },
};
