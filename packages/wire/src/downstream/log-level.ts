/** The log levels of the protocol and their order. */

import { CallsignError, memberText } from '@callsign/core';

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
export function lowestLevel(levels: Iterable<LogLevel>): LogLevel | undefined {
  const asked = new Set(levels);
  return LEVELS.find((level) => asked.has(level));
}

/** Whether a message is at least as severe as the level. `undefined`: every message passes. */
export function passesLevel(params: string, level: LogLevel | undefined): boolean {
  if (level === undefined) return true;
  const own = memberText(params, 'level')?.slice(1, -1);
  return LEVELS.indexOf(own as LogLevel) >= LEVELS.indexOf(level);
}
