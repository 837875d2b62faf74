/** The log for machines: one line of JSON each on standard error, written before we go on. */

import { redactText } from '@callsign/secrets';
import { pino } from 'pino';

import { createLog, type Log, type LogLevel } from '@callsign/core';

export interface PinoLogOptions {
  /** What is less urgent is left out. */
  readonly least: LogLevel;
  /** Where to write; standard error unless told otherwise. */
  readonly fd?: number;
}

const STDERR = 2;
const LEVELS: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warning: 40, error: 50 };

export function createPinoLog({ least, fd = STDERR }: PinoLogOptions): Log {
  const logger = pino<LogLevel, true>(
    {
      level: least,
      customLevels: { ...LEVELS },
      useOnlyCustomLevels: true,
      // No process id and no host name: whoever collects the lines knows them better.
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    pino.destination({ fd, sync: true }),
  );
  return createLog(least, (level, message) => logger[level](redactText(message)));
}
