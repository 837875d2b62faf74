import { describe, expect, it } from 'vitest';

import type { Log } from '@callsign/core';

import { createLastWords } from './last-words.js';
import { ServerLog } from './server-log.js';

describe('the last words of a server', () => {
  const heard = () => {
    const lines: string[] = [];
    const keep: Log = (level, message) => {
      if (level !== 'debug') lines.push(`${level} ${message}`);
    };
    return { lines, ...createLastWords('fs', keep, new ServerLog(), (text) => text) };
  };

  it('are added to warnings and errors, once', () => {
    const { lines, hear, log } = heard();
    for (let i = 0; i < 3; i++) hear(`line ${i}`);
    log('info', 'all is well');
    log('warning', '[fs] it exited with code 1');
    log('warning', '[fs] again');
    expect(lines).toEqual([
      'info all is well',
      'warning [fs] it exited with code 1',
      'warning [fs]   it said: line 0',
      'warning [fs]   it said: line 1',
      'warning [fs]   it said: line 2',
      'warning [fs] again',
    ]);
  });

  it('include what it printed on its output instead', () => {
    const { lines, stray, log, explain } = heard();
    stray('No API key');
    log('warning', '[fs] it exited with code 1');
    expect(lines).toEqual([
      'info [fs] No API key (on its output, but not a message)',
      'warning [fs] it exited with code 1',
      'warning [fs]   it said: No API key (on its output, but not a message)',
    ]);
    expect(explain('it exited')).toContain('No API key');
  });

  it('are never our own words about it', () => {
    const { lines, stray, note, log, explain } = heard();
    note('nothing can be received');
    expect(explain('HTTP 404')).toBe('HTTP 404; nothing can be received');
    stray('No API key');
    note('2 lines of its output were not messages');
    log('warning', '[fs] it exited with code 1');
    expect(lines.filter((line) => line.startsWith('warning'))).toEqual([
      'warning [fs] it exited with code 1',
      'warning [fs]   it said: No API key (on its output, but not a message)',
    ]);
    expect(explain('it exited')).toBe(
      'it exited; it said: No API key (on its output, but not a message)',
    );
  });

  it('are the one line that explains a stack, and where the rest is', () => {
    const { lines, hear, log } = heard();
    for (let start = 0; start < 2; start++) {
      hear('file:///server.mjs:6');
      hear('Error: no database');
      for (let i = 0; i < 10; i++) hear(`    at open (file:///server.mjs:${i}:1)`);
      hear('Node.js v20.20.2');
      log('warning', '[fs] it exited with code 1');
    }
    const once = [
      'warning [fs] it exited with code 1',
      'warning [fs]   it said: Error: no database (12 more lines: callsign logs fs)',
    ];
    expect(lines).toEqual([...once, ...once]);
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
    hear('Error: no database.');
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
