import { describe, expect, it } from 'vitest';

import { descriptionMissing, schemaNotObject } from './annotation-rules.js';

describe('description-missing', () => {
  it.each([undefined, null, '', ' \n', 7, {}])('reports a tool described as %j', (description) => {
    expect(descriptionMissing.check([{ name: 'a', description }])).toMatchObject([
      { tool: 'a', message: 'Has no description.' },
    ]);
  });

  it('accepts any text', () => {
    expect(descriptionMissing.check([{ name: 'a', description: 'Lists issues.' }])).toEqual([]);
  });
});

describe('schema-not-object', () => {
  it('tells a missing schema from a wrong one', () => {
    const flaws = schemaNotObject.check([{ name: 'a' }, { name: 'b', inputSchema: {} }]);
    expect(flaws.map(({ tool, message }) => `${tool} ${message}`)).toEqual([
      'a Has no inputSchema.',
      'b Has an inputSchema whose type is not "object".',
    ]);
  });

  it.each([null, [], 'object', true, { type: 'string' }, { type: ['object'] }])(
    'reports %j',
    (inputSchema) => {
      expect(schemaNotObject.check([{ name: 'a', inputSchema }])).toHaveLength(1);
    },
  );

  it('accepts an object without any properties', () => {
    expect(schemaNotObject.check([{ name: 'a', inputSchema: { type: 'object' } }])).toEqual([]);
  });
});
