/** `callsign service uninstall`: removes the service. */

import { rmSync } from 'node:fs';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { isInstalled, requireSystemd, systemctl, unitFile } from '../governed/user-service.js';

export const command: CommandModule = {
  describe(line) {
    line.description('Stops the service of this user, and removes its systemd unit.');
  },

  async run(context) {
    requireSystemd(context, false);
    const unit = unitFile(context);
    const wasThere = isInstalled(context);
    systemctl(context, 'disable', '--now', 'callsign');
    rmSync(unit, { force: true });
    systemctl(context, 'daemon-reload');
    if (context.json) context.out.json({ unit, removed: wasThere });
    else context.say(wasThere ? `Removed ${unit}.` : `There is no service: ${unit}`);
    return EXIT.ok;
  },
};
