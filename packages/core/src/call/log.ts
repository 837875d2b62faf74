/** The log for people. Never holds a secret, never goes to standard output. */

/** From the least urgent to the most. */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Takes one message. Callers leave out secrets; `createLog` leaves out control characters. */
export type Log = (level: LogLevel, message: string) => void;

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warning', 'error'];

/** Whole runs, so that each character is read once. */
const BLANKS = /[\s\p{Cc}]+/gu;
const CONTROL = /\p{Cc}/u;

/**
 * A log that writes messages of at least the level `least`, one line each, without control
 * characters.
 */
export function createLog(least: LogLevel, write: Log): Log {
  return (level, message) => {
    if (ORDER.indexOf(level) < ORDER.indexOf(least)) return;
    write(
      level,
      message.replace(BLANKS, (run) => (CONTROL.test(run) ? ' ' : run)),
    );
  };
}
