/** `callsign audit show`: everything about one record, and of a call both halves. */

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { describeLog, openLog, type LogOptions } from '../governed/audit-log.js';
import { countOf } from '../governed/count-flag.js';
import { recordLines } from '../governed/audit-text.js';

export const command: CommandModule<LogOptions> = {
  describe(line) {
    line
      .description(
        'Shows a record of the audit log; of a call, what was announced and how it ended.',
      )
      .argument('<seq>', 'its number, as callsign audit list shows it');
    describeLog(line);
  },

  async run(context, { words: [written = ''], options }) {
    const { json, out } = context;
    const seq = countOf('The number of a record', written);
    const { file, reader } = await openLog(context, options);
    const progress = context.wait('Reading the audit log');
    const records = await reader.show(seq).finally(() => progress.end());
    if (records.length === 0) {
      const message = `There is no record ${seq} in ${file}. To see some: callsign audit list`;
      throw new Failure({ exit: EXIT.usage, code: 'unknown-record', message });
    }
    if (json) {
      const shown = records.map(({ seq: at, prev, hash, record }) => ({
        seq: at,
        prev,
        hash,
        record,
      }));
      out.json({ file, records: shown });
    } else out.lines(...records.flatMap((each) => recordLines(each, out.paint)));
    return EXIT.ok;
  },
};
