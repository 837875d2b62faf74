import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { LogLevel } from '@callsign/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { auditFolder } from '../../../../../test/testing/audit-folder.js';
import { createPinoLog } from './pino-log.js';

/** The lines that a log wrote, as they are on disk right after. */
function written(least: LogLevel, ...entries: [LogLevel, string][]): Record<string, unknown>[] {
  const file = join(auditFolder(), 'log');
  const fd = openSync(file, 'w');
  onTestFinished(() => closeSync(fd));
  const log = createPinoLog({ least, fd });
  for (const [level, message] of entries) log(level, message);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log for machines', () => {
  it('has one line of JSON per message, with level, time and message', () => {
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/) as string;
    expect(written('info', ['warning', 'Server "x" is slow.'], ['error', 'No.'])).toEqual([
      { level: 'warning', time, message: 'Server "x" is slow.' },
      { level: 'error', time, message: 'No.' },
    ]);
  });

  it('goes on if the disk is full', () => {
    const fd = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(fd));
    const log = createPinoLog({ least: 'info', fd });
    for (let i = 0; i < 3; i++) log('error', 'No.');
  });

  it('leaves out messages below its level', () => {
    const lines = written(
      'warning',
      ['debug', 'a'],
      ['info', 'b'],
      ['warning', 'c'],
      ['error', 'd'],
    );
    expect(lines.map(({ message }) => message)).toEqual(['c', 'd']);
  });

  it('contains no secrets and no control characters', () => {
    const [line] = written('debug', [
      'debug',
      'got {"api_key":"abc123"}\n\u0007 Authorization: Basic Zm9vOmJhcg==',
    ]);
    expect(line!['message']).toBe('got {"api_key":"[redacted]"} Authorization: [redacted]');
  });
});
