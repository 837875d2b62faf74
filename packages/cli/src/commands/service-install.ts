/** `callsign service install`: runs the gateway as a service of this user. */

import { dirname } from 'node:path';

import { makeFolder, replaceFile } from '@callsign/config';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { requireConfig } from '../config-file/required-config.js';
import { unitFile } from '../connect/service-unit.js';
import { backgroundGateways, stopGateway } from '../governed/background-gateways.js';
import { requireSystemd, systemctl, unitText } from '../governed/user-service.js';

export const command: CommandModule = {
  describe(line) {
    line.description(
      'Writes a systemd unit of this user that runs the gateway of this configuration from the first sign-in on, ' +
        'and starts it. Without it, the gateway starts with the first client.',
    );
  },

  async run(context) {
    requireSystemd(context);
    await requireConfig(context);
    const unit = unitFile(context.env);
    makeFolder(dirname(unit));
    replaceFile(unit, unitText(context));
    const isRead = systemctl(context, 'daemon-reload');
    // It would be in the way of the service. Its clients come back with their next request.
    if (isRead) await Promise.all((await backgroundGateways(context, false)).map(stopGateway));
    const isStarted = isRead && systemctl(context, 'enable', '--now', 'callsign');
    if (context.json) context.out.json({ unit, started: isStarted });
    else if (isStarted) context.say(`The service runs: ${unit}`);
    else {
      const why = 'The systemd of your user could not be reached.';
      context.say(`Wrote ${unit}. ${why} To start it: systemctl --user enable --now callsign`);
    }
    return EXIT.ok;
  },
};
