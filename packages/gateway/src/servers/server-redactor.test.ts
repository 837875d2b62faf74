import { describe, expect, it } from 'vitest';

import { serverOf } from '../config/testing/problems-of.js';
import { redactorOf } from './server-redactor.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const redactorFor = (entry: object, env: Record<string, string> = {}) =>
  redactorOf(serverOf(JSON.stringify(entry), env));

describe('texts about a local server', () => {
  const redact = redactorFor(
    {
      command: 'x',
      args: ['--api-key', 'argument-1', '--token=argument-2', '-pArgument3', '${WORD}', '${HOME}'],
      env: {
        KEY: 'hunter2',
        MODE: 'true',
        DATABASE: 'postgres://ann:pass-word@db/x',
        TWO: 'a-b-c-d\nefghij',
      },
    },
    { WORD: 'from "outside"', HOME: '/home/ann' },
  );

  it.each([
    [
      'with KEY=hunter2 and argument-1, argument-2',
      'with KEY=[redacted] and [redacted], [redacted]',
    ],
    ['-p Argument3', '-p [redacted]'],
    ['said from "outside".', 'said [redacted].'],
    ['{"word":"from \\"outside\\""}', '{"word":"[redacted]"}'],
    ['to postgres://ann:pass-word@db/x', 'to [redacted]'],
    ['the password is pass-word', 'the password is [redacted]'],
    ['a-b-c-d', '[redacted]'],
    ['efghij', '[redacted]'],
    // In base64, alone and as the password of a user.
    [`key ${base64('hunter2')}`, 'key [redacted]'],
    [`Authorization: Basic ${base64('ann:hunter2')}`, 'Authorization: Basic [redacted]'],
    [`{"dsn":"${base64('postgres://ann:pass-word@db/x')}"}`, '{"dsn":"[redacted]"}'],
    [`mode ${base64('true')}`, `mode ${base64('true')}`],
    // Short values match too much, and every server knows the folder of the user.
    ['it is true: /home/ann/x', 'it is true: /home/ann/x'],
  ])('do not contain what the operator gave it: %s', (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it.each([
    ['cut off: from "out… and more', 'cut off: [redacted]… and more'],
    ['"with KEY=hunter…"', '"with KEY=[redacted]…"'],
    ['too short to tell: hunte…', 'too short to tell: hunte…'],
    ['at the start: postgres://ann:pa…; a-b-c-d', 'at the start: [redacted]…; [redacted]'],
  ])('do not contain the beginning of a value that was cut: %s', (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it('hide the longer one of two values first', () => {
    const both = redactorFor({ command: 'x', env: { A: 'secret', B: 'secret-and-more' } });
    expect(both('secret-and-more secret')).toBe('[redacted] [redacted]');
  });
});

describe('texts about a remote server', () => {
  const TOKEN = 'a token/1';
  const refused = (url: string) => `connection refused (${url})`;

  it('show the address as the file writes it', () => {
    const redact = redactorFor({ url: 'http://127.0.0.1:1/${TOKEN}/mcp?k=${TOKEN}' }, { TOKEN });
    const written = 'http://127.0.0.1:1/${TOKEN}/mcp?k=${TOKEN}';
    expect(redact(refused('http://127.0.0.1:1/a%20token/1/mcp'))).toBe(refused(written));
    expect(redact(`http://127.0.0.1:1/${TOKEN}/mcp?k=${TOKEN}`)).toBe(written);
    expect(redact(`HTTP 404 from http://127.0.0.1:1/a%20token/1/other`)).toBe(
      'HTTP 404 from http://127.0.0.1:1/[redacted]/other',
    );
    expect(redact(TOKEN)).toBe('[redacted]');
  });

  it('show a variable that is the whole address', () => {
    const url = 'http://127.0.0.1:1/Zm9vYmFy?key=0123456';
    const redact = redactorFor({ url: '${URL}' }, { URL: url });
    expect(redact(refused('http://127.0.0.1:1/Zm9vYmFy'))).toBe(refused('${URL}'));
    expect(redact('the key 0123456')).toBe('the key [redacted]');
  });

  it('do not contain the values of its query, even if the server repeats them', () => {
    const redact = redactorFor({ url: 'https://x.example/mcp?k=hunter2' });
    expect(redact('it refused the handshake: "no access for hunter2"')).toBe(
      'it refused the handshake: "no access for [redacted]"',
    );
  });

  it('do not contain its headers, with or without the scheme', () => {
    const redact = redactorFor({
      url: 'https://x.example',
      headers: { Authorization: 'Bearer hunter2' },
    });
    expect(redact('sent Bearer hunter2')).toBe('sent [redacted]');
    expect(redact('sent hunter2 to https://x.example/')).toBe(
      'sent [redacted] to https://x.example/',
    );
  });
});
