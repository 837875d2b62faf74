import { expect, it } from 'vitest';

import { redactJson, redactText } from '../detector.js';

const BEGIN = '-----BEGIN PRIVATE KEY-----';
const END = '-----END PRIVATE KEY-----';
const LINE = 'Ab1+/'.repeat(12) + 'AbCd';

it('hides the full lines of a key that is cut off', () => {
  const hidden = `a ${BEGIN} [redacted]`;
  expect(redactText(`a ${BEGIN}\n${LINE}\n${LINE}\nAbc`)).toBe(`${hidden}\nAbc`);
  expect(redactText(`a ${BEGIN}\\n${LINE}\\n${LINE}`)).toBe(hidden);
  expect(redactText(`a ${BEGIN}\r\n${LINE}\r\n; rm -rf /`)).toBe(`${hidden}\r\n; rm -rf /`);
});

it('hides the full lines of a key in a list of lines, and no command', () => {
  const lines = ['x', LINE, BEGIN, LINE, `${LINE}\n`, END, LINE];
  const shown = ['x', LINE, BEGIN, '[redacted]', '[redacted]', END, LINE];
  expect(redactJson({ lines })).toEqual({ lines: shown });
  const command = [BEGIN, '/usr/local/bin/wipe-everything', LINE];
  expect(redactJson(command)).toEqual(command);
});
