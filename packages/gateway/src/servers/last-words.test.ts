import { describe, expect, it } from 'vitest';

import { createLastWords } from './last-words.js';
import { ServerLog } from './server-log.js';

describe('the last words of a server', () => {
  it('are added to warnings and errors, once, and at most a few', () => {
    const lines: string[] = [];
    const { hear, log } = createLastWords(
      'fs',
      (level, message) => {
        if (level !== 'debug') lines.push(`${level} ${message}`);
      },
      new ServerLog(),
      (text) => text,
    );
    for (let i = 0; i < 24; i++) hear(`line ${i}`);
    log('info', 'all is well');
    log('warning', '[fs] it exited with code 1');
    log('warning', '[fs] again');
    expect(lines).toEqual([
      'info all is well',
      'warning [fs] it exited with code 1',
      ...Array.from({ length: 20 }, (_, i) => `warning [fs]   it said: line ${i + 4}`),
      'warning [fs] again',
    ]);
  });

  it('follow a reason that names the server once and has no full stop', () => {
    const { hear, explain } = createLastWords(
      'fs',
      () => undefined,
      new ServerLog(),
      (text) => text,
    );
    expect(explain('it exited with code 1')).toBe('it exited with code 1');
    expect(explain('Server "fs" did not answer within 30 s.')).toBe(
      'it did not answer within 30 s',
    );
    hear('Error: no database');
    expect(explain('Server "fs" did not answer within 30 s.')).toBe(
      'it did not answer within 30 s; it said: Error: no database',
    );
  });

  it('contain no secret of the server, for operators and for callers', () => {
    const lines: string[] = [];
    const kept = new ServerLog();
    const { hear, log, explain } = createLastWords(
      'fs',
      (_, message) => lines.push(message),
      kept,
      (text) => text.replaceAll('hunter2', '***'),
    );
    hear('connecting with hunter2');
    log('warning', '[fs] refused by http://x/hunter2');
    expect(lines).toEqual([
      '[fs] connecting with ***',
      '[fs] refused by http://x/***',
      '[fs]   it said: connecting with ***',
    ]);
    expect(kept.lines().map(({ text }) => text)).toEqual(['connecting with ***']);
    expect(explain('hunter2 was refused')).toBe('*** was refused; it said: connecting with ***');
  });
});
