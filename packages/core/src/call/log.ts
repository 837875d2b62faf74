/** The log for people. Never holds a secret, never goes to standard output. */

/** From the least urgent to the most. */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Takes one message. Callers leave out secrets; `createLog` leaves out control characters. */
export type Log = (level: LogLevel, message: string) => void;

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warning', 'error'];

/** Whole runs, so that each character is read once. */
const BLANKS = /[\s\p{Cc}]+/gu;
const CONTROL = /\p{Cc}/u;

/** Characters. Longer messages repeat what a server sent, and are of no use to people. */
const MAX_MESSAGE = 8_192;

/**
 * A log that writes messages of at least the level `least`, one short line each, without control
 * characters.
 */
export function createLog(least: LogLevel, write: Log): Log {
  return (level, message) => {
    if (ORDER.indexOf(level) < ORDER.indexOf(least)) return;
    const short = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
    const line = short.replace(BLANKS, (run) => (CONTROL.test(run) ? ' ' : run));
    write(level, line);
  };
}
