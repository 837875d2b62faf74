/** `callsign audit export`: the audit log for other programs, line by line. */

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { describeFilter, describeLog, filterOf, openLog } from '../governed/audit-log.js';
import type { FilterOptions, LogOptions } from '../governed/audit-log.js';
import { PacedOutput } from '../governed/paced-output.js';
import { printable } from '@callsign/terminal';

interface ExportOptions extends FilterOptions, LogOptions {
  readonly format?: string;
}

const FORMATS = ['jsonl', 'csv'] as const;

type Format = (typeof FORMATS)[number];

export const command: CommandModule<ExportOptions> = {
  describe(line) {
    line
      .description(
        'Writes records to standard output. The jsonl of a whole log can be verified by itself; csv is for ' +
          'spreadsheets.',
      )
      .option('--format <format>', `${FORMATS.join(' or ')} (default: jsonl)`);
    describeLog(describeFilter(line));
  },

  async run(context, { options }) {
    const format = formatOf(options.format);
    const filter = filterOf(options);
    const { reader } = await openLog(context, options);
    const paced = new PacedOutput(process.stdout);
    for await (const line of reader.export(format, filter)) {
      write(context, format, line);
      await paced.ready();
      if (paced.gone.aborted) break;
    }
    return EXIT.ok;
  },
};

/** JSON stays the same to a program, so that its hashes hold; a cell says what it holds. */
function write({ out }: Context, format: Format, line: string): void {
  if (format === 'jsonl') out.rawJson(line);
  else out.lines(printable(line));
}

function formatOf(text = 'jsonl'): Format {
  const known = FORMATS.find((each) => each === text);
  if (known) return known;
  throw usageFailure(`--format takes ${FORMATS.join(', ')}, not "${text}".`);
}
