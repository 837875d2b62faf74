/** `callsign audit show`: shows everything about one record; for a call, its intent and its end. */

import { Failure, withProgress, type CommandModule } from '@callsign/command';
import { EXIT } from '@callsign/command/exit-code';
import { describeLog, openLog, type LogOptions } from '../log/audit-log.js';
import { recordLines } from '../log/audit-text.js';

export const auditShowCommand: CommandModule<LogOptions> = {
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
