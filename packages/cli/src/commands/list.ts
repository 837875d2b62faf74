/** `callsign list`: lists the servers of a configuration as written. Starts nothing. */

import { shownAddress, shownEntry, summaryOf } from '@callsign/config';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { entriesIn, requireText } from '../config-file/config-text.js';

export const command: CommandModule = {
  describe(line) {
    line.description('Lists the servers of the configuration. Starts nothing.');
  },

  async run({ file, json, out, say }) {
    const entries = entriesIn(requireText(file), file);
    const rows = entries.map(({ key, entry, isOff }) => {
      const { transport } = summaryOf(entry);
      return { key, transport, isOff, address: shownAddress(entry), entry };
    });
    if (json) {
      const servers = rows.map(({ key, transport, isOff, entry }) => {
        return { key, transport, enabled: !isOff, entry: shownEntry(entry) };
      });
      out.json({ file, servers });
    } else if (rows.length === 0) {
      say('There are no servers yet. To add one: callsign add NAME -- COMMAND');
    } else {
      out.table(rows, [
        { title: 'SERVER', text: ({ key }) => key, tint: () => 'name', isWhole: true },
        {
          title: 'TRANSPORT',
          text: ({ transport, isOff }) => (isOff ? `${transport} (off)` : transport),
          tint: ({ isOff }) => (isOff ? 'aside' : undefined),
        },
        { title: 'RUNS', text: ({ address }) => address },
      ]);
    }
    return EXIT.ok;
  },
};
