/** Adds what a server printed to warnings and errors about it: a few lines, or the most useful one. */

import { visibleLine, type Log, type LogLevel } from '@callsign/core';

import type { ServerLog } from './server-log.js';
import type { Redact } from './server-redactor.js';
import { tellingLine } from './telling-line.js';

/** The longest text that callers get. */
const SHOWN = 200;
/** More lines, such as a stack, are replaced by the one that explains them. */
const FEW_LINES = 3;

/** One for each connection to a server. It adds only lines that it has not added before. */
export interface LastWords {
  /** Adds a line that the server printed on standard error. */
  readonly hear: (line: string) => void;
  /** Adds what was noticed about it, such as a line of its output that is not a message. */
  readonly note: (notice: string) => void;
  /** A log without secrets that adds the server's last lines to warnings and errors. */
  readonly log: Log;
  /** A reason with the line of the server that explains it best, without secrets. Callers may see it. */
  readonly explain: (cause: string) => string;
}

/** Each line is added once. `redact` hides what the operator gave the server as a secret. */
export function createLastWords(key: string, log: Log, kept: ServerLog, redact: Redact): LastWords {
  let told = 0;
  const keep = (level: LogLevel, line: string): void => {
    // At once: after a reload the server may have other secrets.
    const safe = redact(line);
    log(level, `[${key}] ${safe}`);
    kept.add(safe);
  };
  return {
    hear: (line) => keep('debug', line),
    // A server may print on its output why it fails.
    note: (notice) => keep('info', notice),
    explain(cause) {
      const reason = asReason(cause, key);
      const line = tellingLine(kept.lines().map(({ text }) => text));
      const safe = redact(reason);
      return line === undefined ? safe : `${safe}; it said: ${visibleLine(line, SHOWN)}`;
    },
    log(level, message) {
      log(level, redact(message));
      if (level !== 'warning' && level !== 'error') return;
      const fresh = kept.lines(told);
      told = fresh.at(-1)?.seq ?? told;
      const texts = fresh.map(({ text }) => text);
      for (const text of summary(texts, key)) log(level, `[${key}]   it said: ${text}`);
    },
  };
}

/** A server that fails at each start prints the same stack each time. */
function summary(texts: readonly string[], key: string): readonly string[] {
  if (texts.length <= FEW_LINES) return texts;
  const line = tellingLine(texts) ?? '';
  return [`${line} (${texts.length - 1} more lines: callsign logs ${key})`];
}

/** The cause as part of a sentence that names the server already. */
function asReason(cause: string, key: string): string {
  const subject = `Server "${key}" `;
  const reason = cause.startsWith(subject) ? `it ${cause.slice(subject.length)}` : cause;
  return reason.replace(/(?<!\.)\.$/, '');
}
