import { describe, expect, it } from 'vitest';

import { createLog, type LogLevel } from './log.js';

describe('a log', () => {
  const logged = (least: LogLevel, message = 'x') => {
    const lines: string[] = [];
    const log = createLog(least, (level, text) => lines.push(`${level}: ${text}`));
    for (const level of ['debug', 'info', 'warning', 'error'] as const) log(level, message);
    return lines;
  };

  it('writes messages of its level or above', () => {
    expect(logged('warning')).toEqual(['warning: x', 'error: x']);
    expect(logged('debug')).toHaveLength(4);
  });

  it('keeps a message on one line, and control characters out of terminals', () => {
    expect(logged('error', 'a\n   b\u001b[31mc\u0007\r\nd')).toEqual(['error: a b [31mc d']);
    expect(logged('error', 'a  b \u0007 \u0007 c')).toEqual(['error: a  b c']);
  });

  it('writes a message with a long run of blanks in linear time', () => {
    const spaces = ' '.repeat(2_000_000);
    expect(logged('error', `a${spaces}b`)).toEqual([`error: a${spaces}b`]);
  });
});
