/** `callsign audit list`: the newest records of the audit log. */

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { describeFilter, describeLog, filterOf, openLog } from '../governed/audit-log.js';
import type { FilterOptions, LogOptions } from '../governed/audit-log.js';
import { countOf } from '../governed/count-flag.js';
import { recordColumns } from '../governed/audit-text.js';

interface ListOptions extends FilterOptions, LogOptions {
  readonly limit?: string;
}

const USUAL_LIMIT = '50';

export const command: CommandModule<ListOptions> = {
  describe(line) {
    line
      .description('Lists calls as they were recorded, the newest last. An intent has no end yet.')
      .option('--limit <count>', `how many at most (default: ${USUAL_LIMIT})`);
    describeLog(describeFilter(line));
  },

  async run(context, { options }) {
    const { json, out, say } = context;
    const limit = countOf('--limit', options.limit ?? USUAL_LIMIT);
    const filter = filterOf(options);
    const { file, reader } = await openLog(context, options);
    const progress = context.wait('Reading the audit log');
    const records = await reader.list({ ...filter, limit }).finally(() => progress.end());
    if (json) {
      const shown = records.map(({ seq, hash, record }) => ({ seq, hash, record }));
      out.json({ file, records: shown });
    } else if (records.length === 0) say('No record matches.');
    else out.table(records, recordColumns(out));
    return EXIT.ok;
  },
};
