/** `callsign audit list`: lists the newest recorded calls. */

import {
  asking,
  describeFilter,
  describeLog,
  filterOf,
  type FilterOptions,
  type LogOptions,
  openLog,
  sayWhose,
} from '../audit/audit-log.js';
import { recordTable } from '../audit/audit-text.js';
import type { CommandModule } from '../command/command.js';
import { countOf } from '../command/count-flag.js';
import { EXIT } from '../command/exit-code.js';
import { readSoFar, withProgress } from '../command/with-progress.js';

interface ListOptions extends FilterOptions, LogOptions {
  readonly limit?: string;
}

const USUAL_LIMIT = '50';

export const command: CommandModule<ListOptions> = {
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
    const rows = await withProgress(context, 'Reading records', (progress) =>
      asking(log, () => log.reader.list({ ...filter, limit }, readSoFar(progress))),
    );
    sayWhose(context, log);
    if (json) out.json({ folder: log.folder, records: rows });
    else if (rows.length === 0) say('No records match.');
    else recordTable(rows, out);
    return EXIT.ok;
  },
};
