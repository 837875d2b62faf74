/** `callsign service uninstall`: removes the service. */

import { rmSync } from 'node:fs';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { unitFile } from '../connect/service-unit.js';
import { isInstalled, requireSystemd, systemctl } from '../governed/user-service.js';

export const command: CommandModule = {
  describe(line) {
    line.description('Stops the service of this user, and removes its systemd unit.');
  },

  async run(context) {
    requireSystemd(context, false);
    const unit = unitFile(context.env);
    const wasThere = isInstalled(context);
    systemctl(context, 'disable', 'callsign');
    // First, so that no client starts the service again.
    rmSync(unit, { force: true });
    systemctl(context, 'stop', 'callsign');
    systemctl(context, 'daemon-reload');
    if (context.json) context.out.json({ unit, removed: wasThere });
    else context.say(wasThere ? `Removed ${unit}.` : `There is no service: ${unit}`);
    return EXIT.ok;
  },
};
