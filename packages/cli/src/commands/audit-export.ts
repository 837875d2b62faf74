/** `callsign audit export`: writes records for other programs, or sends them to a log collector. */

import { counted, printable } from '@callsign/terminal';

import {
  describeFilter,
  describeLog,
  filterOf,
  type FilterOptions,
  type LogOptions,
  openLog,
  type OpenLog,
} from '../audit/audit-log.js';
import { collectorOf } from '../audit/collector.js';
import { PacedOutput } from '../audit/paced-output.js';
import type { CommandModule, Context } from '../command/command.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import { VERSION } from '../command/version.js';

interface ExportOptions extends FilterOptions, LogOptions {
  readonly format?: string;
  readonly to?: string;
  readonly follow?: boolean;
}

const FORMATS = ['jsonl', 'csv', 'otlp'] as const;

type Format = (typeof FORMATS)[number];

/** Without `--follow`, how long an outage may last before the command gives up. */
const PATIENCE_MS = 60_000;

export const command: CommandModule<ExportOptions> = {
  describe(line) {
    line
      .description(
        'Writes records to standard output, or sends them to an OpenTelemetry collector. jsonl of all ' +
          'records can be verified. csv is for spreadsheets. otlp continues where the last run ended.',
      )
      .option('--format <format>', `${FORMATS.join(', ')} (default: jsonl)`)
      .option('--to <url>', 'otlp: the collector (default: OTEL_EXPORTER_OTLP_ENDPOINT)')
      .option('--follow', 'otlp: keep sending new records until interrupted');
    describeLog(describeFilter(line));
  },

  async run(context, { options }) {
    const format = formatOf(options.format);
    const filter = filterOf(options);
    if (format !== 'otlp' && (options.to !== undefined || options.follow)) {
      throw usageFailure('--to and --follow are for --format otlp.');
    }
    if (format === 'otlp') {
      if (Object.keys(filter).length > 0)
        throw usageFailure('otlp sends all records. Leave out the filters.');
      return sendAll(context, options, await openLog(context, options, options.follow));
    }
    const { reader } = await openLog(context, options);
    const paced = new PacedOutput(context.shell.stdout);
    for await (const line of reader.export(format, filter)) {
      write(context, format, line);
      await paced.ready();
      if (paced.gone.aborted) break;
    }
    return EXIT.ok;
  },
};

async function sendAll(
  { env, say, json, out }: Context,
  { to, follow = false }: ExportOptions,
  { reader }: OpenLog,
): Promise<number> {
  const { url, headers } = collectorOf(to, env);
  const signals = new EndSignal();
  try {
    const sent = await reader.exportOtlp({
      url,
      headers,
      version: VERSION,
      follow,
      signal: signals.signal,
      say,
      ...(follow ? {} : { patienceMs: PATIENCE_MS }),
    });
    if (json) out.json({ sent });
    else say(`Sent ${counted(sent, 'record')}.`);
    return signals.signal.aborted ? await signals.asked : EXIT.ok;
  } catch (error) {
    const message = `Not all records were sent: ${(error as Error).message}. The next run continues from there.`;
    throw new Failure({ exit: EXIT.unreachable, code: 'unreachable', message });
  } finally {
    signals.release();
  }
}

/** JSON lines stay unchanged, because of their hashes. A terminal gets no control characters. */
function write(
  { out, shell: { stdout } }: Context,
  format: Exclude<Format, 'otlp'>,
  line: string,
): void {
  if (format === 'csv') out.lines(printable(line));
  else if (stdout.isTTY) out.rawJson(line);
  else stdout.write(`${line}\n`);
}

function formatOf(text = 'jsonl'): Format {
  const known = FORMATS.find((each) => each === text);
  if (known) return known;
  throw usageFailure(`--format takes ${FORMATS.join(', ')}, not "${text}".`);
}
