import { describe, expect, it } from 'vitest';

import { createEntry, type Label } from '../source/create-entry.js';
import type { Kind } from '../call/kind.js';
import { shownItem, type ShownOptions } from './shown-item.js';

function shown(
  json: string,
  given: Partial<ShownOptions> = {},
  label: Label = {},
  kind: Kind = 'tool',
): string {
  const item = { name: 't', json };
  const route = { item, send: () => Promise.reject(new Error('not sent')) };
  const ref = { server: 'apple-mail', tool: 't' };
  const entry = createEntry({ kind, ref, item, route, label, displayName: 'Apple Mail' });
  return shownItem(entry, { name: 'n', titles: false, annotate: false, ...given }).json;
}
const SCHEMA = '"inputSchema":{"type":"object"}';

describe('a tool whose calls may wait', () => {
  it.each([
    [`{"name":"t",${SCHEMA}}`, `{"name":"n",${SCHEMA},"execution":{"taskSupport":"optional"}}`],
    [
      `{"name":"t","execution":{"taskSupport":"forbidden"},${SCHEMA}}`,
      `{"name":"n","execution":{"taskSupport":"optional"},${SCHEMA}}`,
    ],
    [
      `{"name":"t","execution":{"taskSupport":"required"},${SCHEMA}}`,
      `{"name":"n","execution":{"taskSupport":"required"},${SCHEMA}}`,
    ],
    [
      `{"name":"t","execution":{"taskSupport":"optional","x":1},${SCHEMA}}`,
      `{"name":"n","execution":{"taskSupport":"optional","x":1},${SCHEMA}}`,
    ],
  ])('%s may be called as a task', (json, expected) => {
    expect(shown(json, { mayBeTask: true })).toBe(expected);
  });

  it('is the only one that may be', () => {
    const json = `{"name":"t",${SCHEMA}}`;
    expect(shown(json)).toBe(`{"name":"n",${SCHEMA}}`);
    expect(shown('{"name":"t"}', { mayBeTask: true }, {}, 'prompt')).toBe('{"name":"n"}');
  });
});

describe('what a server says about signing in to it', () => {
  const schemes = '[{"type":"oauth2","scopes":["theirs"]}]';
  const json = `{"name":"t","securitySchemes":${schemes},"_meta":{"securitySchemes":${schemes},"x":1.0},${SCHEMA}}`;

  it('is left out if we sign people in ourselves, and nothing else is', () => {
    expect(shown(json, { signsIn: true })).toBe(`{"name":"n","_meta":{"x":1.0},${SCHEMA}}`);
    const escaped = json.replaceAll('securitySchemes', 'security\\u0053chemes');
    expect(shown(escaped, { signsIn: true })).toBe(`{"name":"n","_meta":{"x":1.0},${SCHEMA}}`);
    for (const odd of ['"securitySchemes"', '[{"securitySchemes":[]}]', 'null'])
      expect(shown(`{"name":"t","_meta":${odd},${SCHEMA}}`, { signsIn: true })).toBe(
        `{"name":"n","_meta":${odd},${SCHEMA}}`,
      );
  });

  it('is passed on otherwise', () => {
    expect(shown(json)).toBe(json.replace('"t"', '"n"'));
  });
});

describe('the schema of arguments', () => {
  it.each([
    [
      '{"name":"t","inputSchema":{"type":"string"}}',
      '{"name":"n","inputSchema":{"type":"string"}}',
    ],
    ['{"name":"t","inputSchema":[1]}', '{"name":"n","inputSchema":[1]}'],
    ['{"name":"t","inputSchema":{}}', '{"name":"n","inputSchema":{"type":"object"}}'],
    ['{"name":"t"}', '{"name":"n","inputSchema":{"type":"object"}}'],
  ])('in %s gets a type only if it is an object without one', (json, expected) => {
    expect(shown(json)).toBe(expected);
  });
});

describe('a definition for some callers', () => {
  it('is shown instead of the entry’s own', () => {
    const definition = { name: 't', json: `{"name":"t","description":"less",${SCHEMA}}` };
    expect(shown(`{"name":"t","description":"all",${SCHEMA}}`, { definition })).toBe(
      `{"name":"n","description":"less",${SCHEMA}}`,
    );
  });
});

describe('annotations', () => {
  it('that are not an object are replaced if there is anything to say', () => {
    const json = `{"name":"t","annotations":7,${SCHEMA}}`;
    expect(shown(json)).toBe(`{"name":"n","annotations":7,${SCHEMA}}`);
    expect(shown(json, {}, { override: { readOnlyHint: true } })).toBe(
      `{"name":"n","annotations":{"readOnlyHint":true},${SCHEMA}}`,
    );
  });
});
