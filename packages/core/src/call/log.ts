/** The log for people. Never holds a secret, never goes to standard output. */

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

export type Log = (level: LogLevel, message: string) => void;

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warning', 'error'];

/** Writes messages of at least a level, one line each, without control characters. */
export function createLog(least: LogLevel, write: Log): Log {
  return (level, message) => {
    if (ORDER.indexOf(level) < ORDER.indexOf(least)) return;
    write(level, message.replace(/\s*\p{Cc}+\s*/gu, ' '));
  };
}
