/** Where we say what happens, to people. Never a secret, never on standard output. */

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

export type Log = (level: LogLevel, message: string) => void;

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warning', 'error'];

/** Passes on what is of at least a level, one line each. Control characters stay out of terminals. */
export function createLog(least: LogLevel, write: Log): Log {
  return (level, message) => {
    if (ORDER.indexOf(level) < ORDER.indexOf(least)) return;
    write(level, message.replace(/\s*\p{Cc}+\s*/gu, ' '));
  };
}
