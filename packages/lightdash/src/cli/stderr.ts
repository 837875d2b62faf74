/**
 * Writes to standard error: sentences, or JSON lines with `--json`. Audit records are always JSON.
 */

import type { AuditRecord } from '@callsign/toolkit';

export interface Stderr {
  /** Reports why the command ends, and returns the exit code. */
  complain(exit: number, code: string, message: string): number;
  warn(message: string): void;
  /** An event that people and scripts wait for. */
  announce(sentence: string, fact: Readonly<Record<string, string>>): void;
  audit(record: AuditRecord): void;
}

export function createStderr(
  json: boolean,
  write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Stderr {
  const say = (text: string, value: object): void => write(json ? JSON.stringify(value) : text);
  return {
    complain(exit, code, message) {
      say(message, { error: { code, message } });
      return exit;
    },
    warn: (message) => say(`warning: ${message}`, { level: 'warning', message }),
    announce: say,
    audit: (record) => write(JSON.stringify({ audit: record })),
  };
}
