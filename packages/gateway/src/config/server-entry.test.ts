import fc from 'fast-check';
import { expect, it } from 'vitest';

import { ENTRY_FIELDS, plainLocal } from './server-entry.js';
import { SERVER_ENTRY } from './server-entry-schema.js';

const text = fc.oneof(fc.string(), fc.constantFrom('npx', '', 'a\0b', '${HOME}', '__proto__'));
/** As the reader makes objects. */
const usual = { noNullPrototype: true };
const value = fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text), fc.constant({}));
const entry = fc.dictionary(
  fc.constantFrom(...ENTRY_FIELDS, 'disabled'),
  fc.oneof(value, fc.dictionary(fc.constantFrom('A', 'A=B', ''), value, usual)),
  usual,
);
const local = fc.record(
  { command: text, args: fc.array(text), env: fc.dictionary(text, text, usual) },
  { requiredKeys: ['command'], ...usual },
);

it('takes only what the schema takes, and as it is', () => {
  let plain = 0;
  fc.assert(
    fc.property(fc.oneof(entry, local), (fields) => {
      const taken = plainLocal(fields);
      if (!taken) return;
      plain++;
      expect(taken).toStrictEqual(SERVER_ENTRY.parse(fields));
    }),
    { numRuns: 2_000 },
  );
  expect(plain).toBeGreaterThan(100);
});

it.each([
  { command: 'npx' },
  { command: 'npx', args: ['-y', 'some-package'], env: { API_TOKEN: 'x' } },
])('recognises a plain entry: %j', (fields) => {
  expect(plainLocal(fields)).toBe(fields);
});

it.each([
  {},
  { command: '' },
  { command: 'a\0b' },
  { command: { path: 'npx' } },
  { command: 'npx', args: '-y' },
  { command: 'npx', args: [1] },
  { command: 'npx', env: [] },
  { command: 'npx', env: { 'A=B': 'x' } },
  { command: 'npx', env: { A: 1 } },
  { command: 'npx', env: JSON.parse('{"__proto__":""}') as object },
  { command: 'npx', type: 'http' },
  { command: 'npx', url: 'https://example.com/mcp' },
])('leaves everything else to the schema: %j', (fields) => {
  expect(plainLocal(fields)).toBeUndefined();
});

it('knows the fields of the schema', () => {
  const { properties } = SERVER_ENTRY.toJSONSchema({ io: 'input' });
  expect(Object.keys(properties ?? {})).toEqual(ENTRY_FIELDS);
});
