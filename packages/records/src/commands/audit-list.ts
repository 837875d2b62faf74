/** `callsign audit list`: lists the newest recorded calls. */

import { withProgress, type CommandModule, countOf } from '@callsign/command';
import { EXIT } from '@callsign/command/exit-code';
import { asking, describeFilter, describeLog, filterOf, openLog } from '../log/audit-log.js';
import type { FilterOptions, LogOptions } from '../log/audit-log.js';
import { recordColumns } from '../log/audit-text.js';

interface ListOptions extends FilterOptions, LogOptions {
  readonly limit?: string;
}

const USUAL_LIMIT = '50';

export const auditListCommand: CommandModule<ListOptions> = {
  describe(line) {
    line
      .description('Lists recorded calls, the newest last.')
      .option('--limit <count>', `how many at most (default: ${USUAL_LIMIT})`);
    describeLog(describeFilter(line));
  },

  async run(context, { options }) {
    const { json, out, say } = context;
    const limit = countOf('--limit', options.limit ?? USUAL_LIMIT);
    const filter = filterOf(options);
    const log = await openLog(context, options);
    const rows = await withProgress(context, 'Reading records', () =>
      asking(log, () => log.reader.list({ ...filter, limit })),
    );
    if (json) out.json({ folder: log.folder, records: rows });
    else if (rows.length === 0) say('No records match.');
    else out.table(rows, recordColumns(out));
    return EXIT.ok;
  },
};
