import { expect, it } from 'vitest';

import { malformedName, missingPrefix, toolNotFound } from './name-error.js';

it.each([
  [missingPrefix, 'missing-prefix', 'Tool name must be prefixed with server key: x'],
  [malformedName, 'malformed', 'Invalid tool name format: x'],
  [toolNotFound, 'not-found', 'Tool not found: x'],
])('%o says what is wrong', (create, kind, message) => {
  expect(create('x')).toEqual({ kind, name: 'x', suggestions: [], message });
});

it('suggests names on a second line', () => {
  expect(toolNotFound('x', ['a:b', 'c:d'])).toEqual({
    kind: 'not-found',
    name: 'x',
    suggestions: ['a:b', 'c:d'],
    message: 'Tool not found: x\nDid you mean: a:b or c:d?',
  });
});

it('cuts a long name in the message and keeps it in the error', () => {
  const [fits, long] = ['x'.repeat(256), 'x'.repeat(257)];
  expect(toolNotFound(fits).message).toBe(`Tool not found: ${fits}`);
  expect(toolNotFound(long).message).toBe(`Tool not found: ${fits}…`);
  expect(toolNotFound(long).name).toBe(long);
});
