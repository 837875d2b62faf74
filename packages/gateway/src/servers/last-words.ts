/** The last lines that a server printed, for error messages. */

import { visibleLine, type Log } from '@callsign/core';
import { REDACTED, redactText } from '@callsign/secrets';

const REMEMBERED = 20;
/** The longest text that callers get. */
const SHOWN = 200;
/** A shorter value is too common to be searched for. */
const LEAST_SECRET = 6;

export interface LastWords {
  /** Adds a line that the server printed. */
  readonly hear: (line: string) => void;
  /** A log that adds the server's last lines to warnings and errors. */
  readonly log: Log;
  /** A reason with the server's last line, without secrets. Callers may see it. */
  readonly explain: (reason: string) => string;
}

/** Each line is logged once. `secrets`: values that the operator gave the server. */
export function createLastWords(key: string, log: Log, secrets: readonly string[] = []): LastWords {
  const values = secrets.filter(({ length }) => length >= LEAST_SECRET);
  let lines: string[] = [];
  return {
    hear(line) {
      log('debug', `[${key}] ${line}`);
      lines = [...lines.slice(1 - REMEMBERED), line];
    },
    explain(reason) {
      const last = lines.findLast((line) => line.trim() !== '');
      if (last === undefined) return reason;
      const bare = values.reduce((text, value) => text.replaceAll(value, REDACTED), last.trim());
      return `${reason}; its last words: ${visibleLine(redactText(bare), SHOWN)}`;
    },
    log(level, message) {
      log(level, message);
      if (level !== 'warning' && level !== 'error') return;
      for (const line of lines) log(level, `[${key}]   it said: ${line}`);
      lines = [];
    },
  };
}
