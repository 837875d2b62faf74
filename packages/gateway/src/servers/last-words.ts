/** The last lines that a server printed, for error messages. */

import type { Log } from '@callsign/core';

const REMEMBERED = 20;

export interface LastWords {
  /** Adds a line that the server printed. */
  readonly hear: (line: string) => void;
  /** A log that adds the server's last lines to warnings and errors. */
  readonly log: Log;
}

/** Each line is logged once. Clients never see them: they may hold the operator's secrets. */
export function createLastWords(key: string, log: Log): LastWords {
  let lines: string[] = [];
  return {
    hear(line) {
      log('debug', `[${key}] ${line}`);
      lines = [...lines.slice(1 - REMEMBERED), line];
    },
    log(level, message) {
      log(level, message);
      if (level !== 'warning' && level !== 'error') return;
      for (const line of lines) log(level, `[${key}]   it said: ${line}`);
      lines = [];
    },
  };
}
