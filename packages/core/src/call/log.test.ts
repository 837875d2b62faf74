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

  it('cuts a long message, and reads a long run of blanks once', () => {
    const spaces = ' '.repeat(2_000_000);
    expect(logged('error', `a${spaces}b`)).toEqual([`error: a${spaces.slice(0, 8_191)}…`]);
    const whole = `a${spaces.slice(0, 8_190)}b`;
    expect(logged('error', whole)).toEqual([`error: ${whole}`]);
  });
});
