import { describe, expect, it } from 'vitest';

import { ServerLog, type LogLine } from './server-log.js';

const texts = (log: ServerLog, after?: number): string[] =>
  log.lines(after).map(({ text }) => text);

describe('the log of a server', () => {
  it('keeps a bounded number of lines and characters, the newest', () => {
    const log = new ServerLog({ maxLines: 3, maxLength: 20 });
    for (let i = 0; i < 5; i++) log.add(`line ${i}`);
    expect(texts(log)).toEqual(['line 2', 'line 3', 'line 4']);
    expect(log.lines().map(({ seq }) => seq)).toEqual([3, 4, 5]);
    expect(texts(log, 4)).toEqual(['line 4']);
    log.add('x'.repeat(18));
    expect(texts(log)).toEqual(['x'.repeat(18)]);
    const wide = new ServerLog();
    wide.add('y'.repeat(100_000));
    expect(texts(wide)[0]!.length).toBe(4_000);
  });

  it('shows no secret', () => {
    const log = new ServerLog();
    const heard: LogLine[] = [];
    const stop = log.subscribe((line) => heard.push(line));
    log.add('connecting to postgres://ann:hunter2@db/x');
    log.add('-----BEGIN RSA PRIVATE KEY-----');
    log.add('MIIEowIBAAKCAQEA');
    log.add('-----END RSA PRIVATE KEY-----');
    log.add('up');
    stop();
    log.add('not heard');
    const all = texts(log).join('\n');
    expect(all).not.toMatch(/hunter2|MIIE/);
    expect(texts(log)).toEqual([
      expect.stringContaining('postgres://'),
      '[redacted]',
      'up',
      'not heard',
    ]);
    expect(heard.map(({ text }) => text)).toEqual(texts(log).slice(0, 3));
  });
});
