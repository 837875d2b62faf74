/** `callsign audit tail`: shows new records until it is interrupted. */

import type { StoredRecord } from '@callsign/audit';
import { storedRecord } from '@callsign/audit/query';

import {
  asking,
  describeFilter,
  describeLog,
  filterOf,
  type FilterOptions,
  type LogOptions,
  openLog,
} from '../audit/audit-log.js';
import { recordLine } from '../audit/audit-text.js';
import { PacedOutput } from '../audit/paced-output.js';
import type { CommandModule, Context } from '../command/command.js';
import { countOf } from '../command/count-flag.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';

interface TailOptions extends FilterOptions, LogOptions {
  readonly last?: string;
}

const USUAL_LAST = '10';

export const command: CommandModule<TailOptions> = {
  describe(line) {
    line
      .description('Shows new records as they are written, until interrupted.')
      .option('--last <count>', `how many earlier records to show first (default: ${USUAL_LAST})`);
    describeLog(describeFilter(line));
  },

  async run(context, { options }) {
    const limit = countOf('--last', options.last ?? USUAL_LAST);
    const filter = filterOf(options);
    const log = await openLog(context, options, true);
    const paced = new PacedOutput(context.shell.stdout);
    const signals = new EndSignal();
    try {
      const signal = AbortSignal.any([signals.signal, paced.gone]);
      // It starts before the list is read, so that no record is missed in between.
      const news = log.reader.tail({ ...filter, signal });
      const before = await asking(log, () => log.reader.list({ ...filter, limit }), false);
      for (const row of before) show(context, row);
      const shown = new Set(before.map(keyOf));
      for await (const record of news) {
        const row = storedRecord(record);
        if (row && !shown.has(keyOf(row))) show(context, row);
        await paced.ready();
      }
      return signals.signal.aborted ? await signals.asked : EXIT.ok;
    } finally {
      signals.release();
      await log.reader.close();
    }
  },
};

/** The intent and the end of a call have the same id, so the outcome is part of the key. */
function keyOf(row: StoredRecord): string {
  return row.kind === 'call' ? `${row.id} ${row.outcome}` : row.id;
}

function show({ json, out }: Context, row: StoredRecord): void {
  if (json) out.json({ record: row });
  else out.lines(recordLine(row, out));
}
