/** `callsign audit query`: SQL over the tables of calls. */

import { asking, describeLog, openLog, type LogOptions } from '../audit/audit-log.js';
import type { CommandModule } from '../command/command.js';
import { countOf } from '../command/count-flag.js';
import { EXIT } from '../command/exit-code.js';
import { readSoFar, withProgress } from '../command/with-progress.js';

interface QueryOptions extends LogOptions {
  readonly limit?: string;
}

const USUAL_LIMIT = '1000';

export const command: CommandModule<QueryOptions> = {
  describe(line) {
    line
      .description(
        'Runs read-only SQL. It reads the view calls and the table events. docs/audit.md lists their columns.',
      )
      .argument('<sql>', 'such as "SELECT tool, count(*) FROM calls GROUP BY tool"')
      .option('--limit <count>', `the most rows to return (default: ${USUAL_LIMIT})`);
    describeLog(line);
  },

  async run(context, { words: [sql = ''], options }) {
    const { json, out, say } = context;
    const limit = countOf('--limit', options.limit ?? USUAL_LIMIT);
    const log = await openLog(context, options);
    const { columns, rows, isCut } = await withProgress(context, 'Querying records', (progress) =>
      asking(log, () => log.reader.query(sql, limit, readSoFar(progress))),
    );
    if (json) {
      out.json({ columns, rows, isCut });
    } else if (rows.length === 0) say('There are no rows.');
    else {
      const titles = columns.map((title, i) => ({
        title,
        text: (row: readonly unknown[]) => textOf(row[i]),
      }));
      out.table(rows, titles);
      if (isCut) say(`There are more than ${limit} rows. To see more: --limit`);
    }
    return EXIT.ok;
  },
};

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Uint8Array ? `${value.length} bytes` : String(value);
}
