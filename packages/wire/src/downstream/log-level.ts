/** The log levels of the protocol and their order. */

import { CallsignError, memberText, type Source } from '@callsign/core';

const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof LEVELS)[number];

export function isLogLevel(value: unknown): value is LogLevel {
  return LEVELS.includes(value as LogLevel);
}

/** The level in the parameters of `logging/setLevel`. */
export function logLevelIn(params: string): LogLevel {
  const level: unknown = JSON.parse(memberText(params, 'level') ?? 'null');
  if (isLogLevel(level)) return level;
  throw new CallsignError('invalid-params', { reason: 'level is not a log level' });
}

/** The most detailed of some levels. */
function lowestLevel(levels: Iterable<LogLevel>): LogLevel | undefined {
  const asked = new Set(levels);
  return LEVELS.find((level) => asked.has(level));
}

/** Whether a message is at least as severe as the level. `undefined`: every message passes. */
export function passesLevel(params: string, level: LogLevel | undefined): boolean {
  if (level === undefined) return true;
  const own = memberText(params, 'level')?.slice(1, -1);
  return LEVELS.indexOf(own as LogLevel) >= LEVELS.indexOf(level);
}

/** The log levels that clients asked for. A server gets the most detailed one of them. */
export class ClientLogLevels {
  readonly #source: Source;
  readonly #levels = new Map<object, LogLevel>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Sets a client's level; `undefined` removes it. Tells servers if the most detailed changes. */
  set(client: object, level: LogLevel | undefined): void {
    const before = lowestLevel(this.#levels.values());
    if (level === undefined) this.#levels.delete(client);
    else this.#levels.set(client, level);
    const after = lowestLevel(this.#levels.values());
    if (after !== undefined && after !== before) {
      this.#source.tell('logging/setLevel', JSON.stringify({ level: after }));
    }
  }
}
