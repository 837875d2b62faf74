/** `callsign audit list`: the newest records of the audit log. */

import type { CommandModule } from '../command.js';
import { EXIT } from '../exit-code.js';
import { describeFilter, describeLog, filterOf, openLog } from '../governed/audit-log.js';
import type { FilterOptions, LogOptions } from '../governed/audit-log.js';
import { countOf } from '../governed/count-flag.js';
import { RECORD_COLUMNS } from '../governed/audit-text.js';

interface ListOptions extends FilterOptions, LogOptions {
  readonly limit: string;
}

export const command: CommandModule<ListOptions> = {
  describe(line) {
    line
      .description('Lists calls as they were recorded, the newest last. An intent has no end yet.')
      .option('--limit <count>', 'how many at most', '50');
    describeLog(describeFilter(line));
  },

  async run(context, { options }) {
    const { json, out, say } = context;
    const limit = countOf('--limit', options.limit);
    const filter = filterOf(options);
    const { file, reader } = await openLog(context, options);
    const progress = context.wait('Reading the audit log');
    const records = await reader.list({ ...filter, limit }).finally(() => progress.end());
    if (json) {
      const shown = records.map(({ seq, hash, record }) => ({ seq, hash, record }));
      out.json({ file, records: shown });
    } else if (records.length === 0) say('No record matches.');
    else out.table(records, RECORD_COLUMNS);
    return EXIT.ok;
  },
};
