/** `callsign labels`: counts the tools of each server by risk and evidence. */

import { countLabels } from '@callsign/effects';
import { counted } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { requireConfig } from '../config-file/required-config.js';
import { COUNT_COLUMNS } from '../fleet/count-columns.js';
import { warnOfFleet } from '../fleet/fleet.js';
import { needsReview } from '../governed/label-review.js';
import { openPlainFleet } from '../governed/plain-fleet.js';

interface LabelsOptions {
  readonly refresh?: true;
}

export const command: CommandModule<LabelsOptions> = {
  describe(line) {
    line
      .description(
        'Counts the tools of each server by risk and evidence. To review labels: callsign labels review',
      )
      .option('--refresh', 'start the servers instead of using remembered tools');
  },

  async run(context, { options: { refresh } }) {
    const { json, out, say } = context;
    const fleet = await openPlainFleet(context, await requireConfig(context), { refresh });
    warnOfFleet(context, fleet);
    const entries = [...fleet.tools.values()];
    const servers = countLabels(entries);
    const open = entries.filter(needsReview).length;
    if (json) {
      out.json({ servers, toReview: open });
      return EXIT.ok;
    }
    if (servers.length === 0)
      say('No server offers a tool. To look again: callsign labels --refresh');
    else out.table(servers, COUNT_COLUMNS);
    if (open > 0) {
      say(`${counted(open, 'label')} can be reviewed: callsign labels review`);
    }
    return EXIT.ok;
  },
};
