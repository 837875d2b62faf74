/** The log for programs: a line of JSON per message on standard error, written synchronously. */

import { createLog, type Log, type LogLevel } from '@callsign/core';
import { redactText } from '@callsign/core/secrets';
import { pino } from 'pino';

interface PinoLogOptions {
  /** The lowest level that is logged. */
  readonly least: LogLevel;
  /** Default: standard error. */
  readonly fd?: number;
}

const STDERR = 2;
const LEVELS: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warning: 40, error: 50 };

/** Writes at once, so that the last lines before a crash are not lost. */
export function createPinoLog({ least, fd = STDERR }: PinoLogOptions): Log {
  const destination = pino.destination({ fd, sync: true });
  // A full disk must not end the gateway.
  destination.on('error', () => undefined);
  const logger = pino<LogLevel, true>(
    {
      level: least,
      customLevels: { ...LEVELS },
      useOnlyCustomLevels: true,
      // No process id and no host name: the log collector adds them.
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
  return createLog(least, (level, message) => logger[level](redactText(message)));
}
