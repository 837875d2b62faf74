/**
 * Answers a client's first message before the gateway is loaded. Loading takes several times as long as the
 * answer. It happens only if the message has arrived already and the configuration was valid at the last start.
 * With a new or changed configuration the gateway answers after its check, so that no client is greeted by a
 * gateway that cannot serve. This file must import little: everything it loads delays the answer.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { parseArgs } from 'node:util';

import { agreedVersion, EVERYTHING, greetingJson } from '@callsign/wire/greeting';

import { needsYes } from '../command/accepted-configs.js';
import { findConfig, type ConfigPlace } from '../command/config-path.js';
import { SELF } from '../command/version.js';
import { isKnownGood } from './good-configs.js';
import { rememberedGreeting } from './greetings.js';

/** Event-loop turns until stdin data arrives. */
const TURNS = 2;
const NEWLINE = 10;
/** Other flags are left to the full command. */
const USUAL = ['config', 'stdio', 'strict', 'read-only', 'quiet', 'verbose', 'json'];

/** Returns the line that it answered; the gateway reads it too and does not answer it again. */
export async function answerFirstWord(args: readonly string[]): Promise<string | undefined> {
  const place = servedOnStdio(args);
  if (!place || isatty(0) || !isKnownGood(place.file) || needsYes(place)) return undefined;
  const { stdin, stdout } = process;
  stdin.on('readable', ignore);
  // A client that disconnects meanwhile is noticed by the gateway, not here.
  for (const stream of [stdin, stdout]) stream.on('error', ignore);
  for (let turns = 0; turns < TURNS; turns++) await nextTurn();
  const heard = stdin.read() as Buffer | null;
  const end = heard?.indexOf(NEWLINE) ?? -1;
  const line = heard?.subarray(0, Math.max(end, 0)).toString() ?? '';
  const answer = answerTo(line, place.file);
  // Unanswered data is left to the gateway.
  const rest = answer === undefined ? heard : heard!.subarray(end + 1);
  if (rest && rest.length > 0) stdin.unshift(rest);
  stdin.off('readable', ignore);
  if (answer === undefined) return undefined;
  stdout.write(`${answer}\n`);
  return line;
}

/** The configuration, if it is served on standard input and output. */
function servedOnStdio(args: readonly string[]): ConfigPlace | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    options: { config: { type: 'string', short: 'c' } },
  });
  const { config } = values;
  const isUsual = Object.keys(values).every((flag) => USUAL.includes(flag));
  if (!isUsual || positionals.length > 0 || typeof config === 'boolean') return undefined;
  return findConfig(config);
}

function ignore(): void {}

/** `undefined` for anything but a plain `initialize`. */
function answerTo(line: string, config: string): string | undefined {
  try {
    const { jsonrpc, id, method, params } = JSON.parse(line) as Record<string, unknown>;
    // An id that cannot be written back exactly is left to the gateway, which copies the text.
    const isPlain =
      typeof id === 'string' ||
      (Number.isSafeInteger(id) && new RegExp(`"id" *: *${String(id)} *[,}]`).test(line));
    if (jsonrpc !== '2.0' || method !== 'initialize' || !isPlain) return undefined;
    if (Array.isArray(params)) return undefined;
    const { protocolVersion } = params as Record<string, unknown>;
    const version = agreedVersion(protocolVersion);
    const { instructions, capabilities } = rememberedGreeting(config);
    const result = greetingJson({
      protocolVersion: version,
      capabilities: { ...EVERYTHING, ...capabilities },
      self: SELF,
      instructions,
    });
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
  } catch {
    return undefined;
  }
}
