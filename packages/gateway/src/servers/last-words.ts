/** Adds the last lines that a server printed to warnings and errors about it. */

import { visibleLine, type Log } from '@callsign/core';
import { REDACTED } from '@callsign/secrets';

import type { ServerLog } from './server-log.js';
import { tellingLine } from './telling-line.js';

/** The longest text that callers get. */
const SHOWN = 200;
/** Shorter values are not hidden: they would match too much other text. */
const LEAST_SECRET = 6;
/** Lines that one message may add. */
const MAX_LINES = 20;

/** One for each connection to a server. It adds only lines that it has not added before. */
export interface LastWords {
  /** Adds a line that the server printed. */
  readonly hear: (line: string) => void;
  /** A log that adds the server's last lines to warnings and errors. */
  readonly log: Log;
  /** A reason with the line of the server that explains it best, without secrets. Callers may see it. */
  readonly explain: (cause: string) => string;
}

/** Each line is added once. `secrets`: values that the operator gave the server. */
export function createLastWords(
  key: string,
  log: Log,
  kept: ServerLog,
  secrets: readonly string[] = [],
): LastWords {
  const values = secrets.filter(({ length }) => length >= LEAST_SECRET);
  let told = 0;
  return {
    hear(line) {
      log('debug', `[${key}] ${line}`);
      kept.add(line);
    },
    explain(cause) {
      const reason = asReason(cause, key);
      const line = tellingLine(kept.lines().map(({ text }) => text));
      if (line === undefined) return reason;
      const bare = values.reduce((text, value) => text.replaceAll(value, REDACTED), line);
      return `${reason}; it said: ${visibleLine(bare, SHOWN)}`;
    },
    log(level, message) {
      log(level, message);
      if (level !== 'warning' && level !== 'error') return;
      const fresh = kept.lines(told).slice(-MAX_LINES);
      for (const { text } of fresh) log(level, `[${key}]   it said: ${text}`);
      told = fresh.at(-1)?.seq ?? told;
    },
  };
}

/** The cause as part of a sentence that names the server already. */
function asReason(cause: string, key: string): string {
  const subject = `Server "${key}" `;
  const reason = cause.startsWith(subject) ? `it ${cause.slice(subject.length)}` : cause;
  return reason.replace(/(?<!\.)\.$/, '');
}
