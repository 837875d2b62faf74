/**
 * Answers a client's first message before the gateway is loaded, which takes several times as long as all that
 * the answer needs. Only if the message is there already, and only for a configuration that was good the last
 * time: one that is new or changed is checked first, so that nobody is greeted by a gateway that cannot serve.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { parseArgs } from 'node:util';

import { agreedVersion, EVERYTHING, greetingJson } from '@callsign/wire/greeting';

import { configPath } from '../config-path.js';
import { SELF } from '../version.js';
import { isKnownGood } from './good-configs.js';

/** To begin to read, and to read. */
const TURNS = 2;
const NEWLINE = 10;

/** The message that was answered, as its line; the gateway hears of it, and does not answer again. */
export async function answerFirstWord(args: readonly string[]): Promise<string | undefined> {
  const file = servedOnStdio(args);
  if (file === undefined || isatty(0) || !isKnownGood(file)) return undefined;
  const { stdin } = process;
  stdin.on('readable', ignore).on('error', ignore);
  for (let turns = 0; turns < TURNS; turns++) await nextTurn();
  const heard = stdin.read() as Buffer | null;
  const end = heard?.indexOf(NEWLINE) ?? -1;
  const line = heard?.subarray(0, Math.max(end, 0)).toString() ?? '';
  const answer = answerTo(line);
  // What was not answered is the gateway's to read.
  const rest = answer === undefined ? heard : heard!.subarray(end + 1);
  if (rest && rest.length > 0) stdin.unshift(rest);
  stdin.off('readable', ignore).off('error', ignore);
  if (answer === undefined) return undefined;
  process.stdout.write(`${answer}\n`);
  return line;
}

/** The configuration, if it is to be served on our input and output. Whatever is odd is not for here. */
function servedOnStdio(args: readonly string[]): string | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    options: { config: { type: 'string', short: 'c' } },
  });
  const { config = undefined, http, help, h } = values;
  const isOdd = positionals.length > 0 || http !== undefined || help === true || h === true;
  return isOdd || typeof config === 'boolean' ? undefined : configPath(config);
}

/** Whoever reads is told of what comes, and asks for it; of errors the gateway hears again. */
function ignore(): void {}

/** `undefined` for anything but a plain `initialize`. */
function answerTo(line: string): string | undefined {
  try {
    const { jsonrpc, id, method, params } = JSON.parse(line) as Record<string, unknown>;
    // An id that would be written in another way than it came is left to who can copy it.
    const isPlain = typeof id === 'string' || /"id" *: *(?:0|[1-9]\d{0,14}) *[,}]/.test(line);
    if (jsonrpc !== '2.0' || method !== 'initialize' || !isPlain) return undefined;
    const { protocolVersion } = params as Record<string, unknown>;
    const version = agreedVersion(protocolVersion);
    const result = greetingJson({ protocolVersion: version, capabilities: EVERYTHING, self: SELF });
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
  } catch {
    return undefined;
  }
}
