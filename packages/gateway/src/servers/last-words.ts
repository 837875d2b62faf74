/** What a server printed last for people, to be told when something is wrong with it. */

import type { Log } from '@callsign/core';

const REMEMBERED = 20;

export interface LastWords {
  /** Takes a line that the server printed. */
  readonly hear: (line: string) => void;
  /** A log that adds to bad news what the server said before it. */
  readonly log: Log;
}

/** Lines are told once. Clients never see them: they may hold what only the operator should read. */
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
