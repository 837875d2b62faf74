import { describe, expect, it } from 'vitest';

import { createStderr } from './stderr.js';

const PROBLEM = {
  code: 'syntax',
  file: 'f.json',
  line: 2,
  column: 3,
  path: 'a',
  message: 'is wrong',
  advice: 'mend it',
} as const;

function said(options: { json?: boolean; verbose?: boolean }) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const stderr = createStderr({ json: false, verbose: false, ...options, write });
  stderr.log('debug', '[fs] hello');
  stderr.log('info', 'a fact');
  stderr.log('warning', 'take care');
  stderr.announce('Listening at x', { listening: 'x' });
  const exit = stderr.complain({ exit: 6, code: 'c', message: 'No.', problems: [PROBLEM] });
  return { lines, exit };
}

describe('standard error', () => {
  it('shows people warnings and errors', () => {
    expect(said({})).toEqual({
      exit: 6,
      lines: [
        'warning: take care',
        'Listening at x',
        'No.\nf.json:2:3  a  is wrong\n    → mend it',
      ],
    });
  });

  it('shows more on request', () => {
    expect(said({ verbose: true }).lines.slice(0, 2)).toEqual(['[fs] hello', 'a fact']);
  });

  it('gives scripts lines of JSON', () => {
    expect(said({ json: true }).lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { level: 'warning', message: 'take care' },
      { listening: 'x' },
      { error: { code: 'c', message: 'No.', problems: [PROBLEM] } },
    ]);
  });
});
