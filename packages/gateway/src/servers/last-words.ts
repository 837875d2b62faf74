/** Adds what a server printed last to warnings and errors about it. */

import type { Log } from '@callsign/core';

import type { ServerLog } from './server-log.js';

/** Lines that one message may add. */
const MAX_LINES = 20;

export interface LastWords {
  /** Adds a line that the server printed. */
  readonly hear: (line: string) => void;
  /** A log that adds the server's last lines to warnings and errors. */
  readonly log: Log;
}

/** Each line is added once. Clients never see them: they may hold the operator's secrets. */
export function createLastWords(key: string, log: Log, kept: ServerLog): LastWords {
  let told = 0;
  return {
    hear(line) {
      log('debug', `[${key}] ${line}`);
      kept.add(line);
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
