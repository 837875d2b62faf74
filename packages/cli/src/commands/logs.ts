/** `callsign logs`: shows what a server printed, or the messages of the gateway in the background. */

import { open, stat } from 'node:fs/promises';

import type { LogLine } from '@callsign/gateway/host';
import type { AdminClient } from '@callsign/gateway/admin';
import { printable } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { countOf } from '../command/count-flag.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { entriesIn, requireEntry, requireText } from '../config-file/config-text.js';
import { sharedGateway } from '../connect/shared-gateway.js';
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
          'not a message, as far as the running gateway has kept it. Secrets are hidden. Without a ' +
          'server: the messages of your gateway in the background.',
      )
      .argument('[server]', 'its key in the configuration')
      .option('--last <count>', `the most lines to show (default: ${USUAL_LAST})`)
      .option('-f, --follow', 'keep showing new lines until interrupted');
    describeLive(line);
  },

  async run(context, { words: [server], options }) {
    const last = countOf('--last', options.last ?? USUAL_LAST);
    if (server === undefined) return await showGatewayLog(context, last, options.follow === true);
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

/** The end of the log file. It is read again whenever it changes. */
async function showGatewayLog(
  context: Context,
  last: number,
  isFollowed: boolean,
): Promise<number> {
  const { file, env, json, out, say } = context;
  const { log } = sharedGateway(file, env);
  const write = (lines: readonly string[]): void => {
    for (const line of lines) {
      if (json) out.json({ line });
      else out.lines(printable(line));
    }
  };
  const read = await logLines(log, 0).catch(() => undefined);
  if (!read && !isFollowed) say(`The gateway of ${file} has written no messages: ${log}`);
  write(last === 0 ? [] : (read?.lines ?? []).slice(-last));
  if (!isFollowed) return EXIT.ok;
  const signals = new EndSignal();
  const done = signals.asked;
  let at = read?.end ?? 0;
  const look = async (): Promise<void> => {
    const { size } = await stat(log).catch(() => ({ size: 0 }));
    const more = await logLines(log, size < at ? 0 : at).catch(() => undefined);
    if (!more) return;
    at = more.end;
    write(more.lines);
  };
  const timer = setInterval(() => void look(), FOLLOW_MS);
  return await done.finally(() => {
    clearInterval(timer);
    signals.release();
  });
}

const FOLLOW_MS = 250;
/** Of a long log only the end is read. */
const MAX_READ = 1024 * 1024;

/** The whole lines of a file from a position on, and where they end. */
async function logLines(file: string, from: number): Promise<{ lines: string[]; end: number }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const start = Math.max(from, size - MAX_READ);
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(size - start),
      0,
      size - start,
      start,
    );
    const end = buffer.lastIndexOf(10, bytesRead) + 1;
    const lines = buffer
      .toString('utf8', 0, end)
      .split('\n')
      .slice(start > from ? 1 : 0, -1);
    return { lines, end: start + end };
  } finally {
    await handle.close();
  }
}

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
