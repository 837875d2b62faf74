/** `callsign audit show`: shows everything about one record; for a call, its intent and its end. */

import { describeLog, openLog, type LogOptions } from '../audit/audit-log.js';
import { recordLines } from '../audit/audit-text.js';
import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { withProgress } from '../command/with-progress.js';

export const command: CommandModule<LogOptions> = {
  describe(line) {
    line
      .description('Shows a record. For a call, shows its intent and how it ended.')
      .argument('<id>', 'its id, from callsign audit list');
    describeLog(line);
  },

  async run(context, { words: [id = ''], options }) {
    const { json, out } = context;
    const { folder, reader } = await openLog(context, options);
    const records = await withProgress(context, 'Reading records', () => reader.show(id));
    if (records.length === 0) {
      const message = `There is no record ${id} in ${folder}. To see some: callsign audit list`;
      throw new Failure({ exit: EXIT.usage, code: 'unknown-record', message });
    }
    if (json) out.json({ folder, records });
    else out.lines(...records.flatMap((each) => recordLines(each, out.paint)));
    return EXIT.ok;
  },
};
