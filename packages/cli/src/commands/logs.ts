/** `callsign logs`: shows what a server printed. */

import type { LogLine } from '@callsign/gateway/host';
import type { AdminClient } from '@callsign/gateway/admin';
import { printable } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { countOf } from '../command/count-flag.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { entriesIn, requireEntry, requireText } from '../config-file/config-text.js';
import { adminFailure, describeLive, findLive, type LiveWords } from '../fleet/live-gateway.js';

interface LogsOptions extends LiveWords {
  readonly last?: string;
  readonly follow?: true;
}

const USUAL_LAST = '100';

export const command: CommandModule<LogsOptions> = {
  describe(line) {
    line
      .description(
        'Shows what a server printed on standard error, and the first line of its output that is ' +
          'not a message, as far as the running gateway has kept it. Secrets are hidden.',
      )
      .argument('<server>', 'its key in the configuration')
      .option('--last <count>', `the most lines to show (default: ${USUAL_LAST})`)
      .option('-f, --follow', 'keep showing new lines until interrupted');
    describeLive(line);
  },

  async run(context, { words: [server = ''], options }) {
    const last = countOf('--last', options.last ?? USUAL_LAST);
    requireEntry(entriesIn(requireText(context.file), context.file), server);
    const live = await findLive(context, options);
    if (!live) throw noGateway(context);
    const path = `/servers/${encodeURIComponent(server)}/log`;
    if (options.follow) return follow(context, live, `${path}?follow&last=${last}`);
    const lines = await linesAt(live, path);
    const shown = last === 0 ? [] : lines.slice(-last);
    if (context.json) context.out.json({ server, lines: shown });
    else if (lines.length === 0) context.say(`${server} has printed nothing.`);
    else for (const each of shown) show(context, each);
    return EXIT.ok;
  },
};

async function linesAt(live: AdminClient, path: string): Promise<LogLine[]> {
  try {
    return (await live.get(path)) as LogLine[];
  } catch (error) {
    throw adminFailure(error);
  }
}

/** Ends when it is interrupted, or when the gateway ends. */
async function follow(context: Context, live: AdminClient, path: string): Promise<number> {
  const signals = new EndSignal();
  const onEvent = (line: unknown): void => {
    if (context.json) context.out.json(line as LogLine);
    else show(context, line as LogLine);
  };
  try {
    const over = live
      .stream({ method: 'GET', path, onEvent, signal: signals.signal })
      .then(() => EXIT.ok);
    return await Promise.race([over, signals.asked]);
  } catch (error) {
    if (signals.signal.aborted) return await signals.asked;
    throw adminFailure(error);
  } finally {
    signals.release();
  }
}

function show({ out }: Context, { time, text }: LogLine): void {
  out.lines(`${out.paint('aside', out.time(time))} ${printable(text)}`);
}

function noGateway({ file }: Context): Failure {
  const advice = `Start one with: callsign serve --http\nTo start every server once: callsign doctor`;
  const message = `No gateway runs ${file}, and only a running gateway knows what its servers print.\n${advice}`;
  return new Failure({ exit: EXIT.unreachable, code: 'no-gateway', message });
}
