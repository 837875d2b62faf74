/** `callsign audit tail`: records as they come in, until somebody has seen enough. */

import type { PlacedRecord } from '@callsign/audit/query';

import type { CommandModule, Context } from '../command/command.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { describeFilter, describeLog, filterOf, openLog } from '../governed/audit-log.js';
import type { FilterOptions, LogOptions } from '../governed/audit-log.js';
import { countOf } from '../governed/count-flag.js';
import { recordLine } from '../governed/audit-text.js';
import { PacedOutput } from '../governed/paced-output.js';

interface TailOptions extends FilterOptions, LogOptions {
  readonly last?: string;
}

const USUAL_LAST = '10';

export const command: CommandModule<TailOptions> = {
  describe(line) {
    line
      .description('Shows records as they come in, until it is interrupted.')
      .option('--last <count>', `how many to begin with (default: ${USUAL_LAST})`);
    describeLog(describeFilter(line));
  },

  async run(context, { options }) {
    const limit = countOf('--last', options.last ?? USUAL_LAST);
    const filter = filterOf(options);
    const { reader } = await openLog(context, options);
    const paced = new PacedOutput(process.stdout);
    const halt = new AbortController();
    const signals = new EndSignal(() => undefined);
    const ended = signals.asked.then((code) => {
      halt.abort();
      return code;
    });
    try {
      const before = await reader.list({ ...filter, limit });
      for (const placed of before) show(context, placed);
      const signal = AbortSignal.any([halt.signal, paced.gone]);
      const last = before.at(-1);
      const from = last === undefined ? {} : { after: last.seq };
      for await (const placed of reader.tail({ ...filter, ...from, signal })) {
        show(context, placed);
        await paced.ready();
      }
      return halt.signal.aborted ? await ended : EXIT.ok;
    } finally {
      signals.release();
    }
  },
};

function show({ json, out }: Context, placed: PlacedRecord): void {
  const { seq, hash, record } = placed;
  if (json) out.json({ seq, hash, record });
  else out.lines(recordLine(placed, out));
}
