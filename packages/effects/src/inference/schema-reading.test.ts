import { describe, expect, it } from 'vitest';

import { isProgramName, readSchema } from './schema-reading.js';

const text = { type: 'string' };
const read = (properties: Record<string, unknown>) => readSchema({ type: 'object', properties });
const because = (properties: Record<string, unknown>) => read(properties)?.because;

describe('a parameter is a program that the tool runs', () => {
  it.each<[string, unknown]>([
    ['sql', text],
    ['sqlCommand', text],
    ['script', {}],
    ['commands', { type: 'array' }],
    ['cmd', { type: ['string', 'null'] }],
    ['query', { ...text, description: 'The SQL to run' }],
    ['my_long_query', { ...text, description: 'Cypher, for the graph' }],
    ['body', { ...text, description: 'Code that will be executed' }],
  ])('%s: %j', (name, schema) => {
    expect(read({ limit: text, [name]: schema })).toEqual({
      says: 'destructive',
      word: name,
      because: `the parameter ${name} is run`,
    });
  });

  it.each<[string, unknown]>([
    ['sql', { type: 'boolean' }],
    ['script', { type: 'object' }],
    ['allow_shell_command', text],
    ['script_id', text],
    ['query', text],
    ['query', { ...text, description: 'What to look for' }],
    ['note', { ...text, description: 'The SQL to run' }],
    ['', text],
  ])('but not %s: %j', (name, schema) => {
    expect(read({ [name]: schema })).toBeUndefined();
  });

  it.each([
    ['sql', true],
    ['rawSQL', true],
    ['query', false],
    ['sql_mode', false],
    ['', false],
  ])('known by its name alone: %j is %s', (name, expected) => {
    expect(isProgramName(name)).toBe(expected);
  });
});

describe('a parameter chooses the action', () => {
  it.each<[Record<string, unknown>, string, string[]]>([
    [
      { action: { enum: ['list', 'add', 'delete'] } },
      'the parameter action can be add',
      ['add', 'delete'],
    ],
    [{ http_method: { enum: ['GET', 'POST'] } }, 'the parameter http_method can be POST', ['POST']],
    [{ op: { const: 'remove_user' } }, 'the parameter op can be remove_user', ['remove_user']],
    [{ mode: { enum: ['read', 'delete'] } }, 'the parameter mode can be delete', ['delete']],
    [{ action: { enum: [1, null, 'post'] } }, 'the parameter action can be post', ['post']],
  ])('%j, with the values that change something', (properties, why, changes) => {
    const [name] = Object.keys(properties);
    expect(read(properties)).toEqual({ says: 'change', word: name, because: why, changes });
  });

  it.each<[Record<string, unknown>, string]>([
    // Values that may change something are no proof, so they are not listed.
    [{ action: { enum: ['list', 'export'] } }, 'the parameter action can be export'],
    [
      { operation: { ...text, description: 'One of get, delete' } },
      'the parameter operation can be delete',
    ],
    [
      { operation: { ...text, description: 'GET or PATCH' } },
      'the parameter operation can be patch',
    ],
    [{ action: text }, 'action chooses what it does'],
    [{ action: { enum: 'none' } }, 'action chooses what it does'],
    [
      { tab_action: { ...text, description: 'A comment about it' } },
      'tab_action chooses what it does',
    ],
  ])('%j, without values that surely change something', (properties, why) => {
    const reading = read(properties);
    expect(reading).toMatchObject({ says: 'change', because: why });
    expect(reading).not.toHaveProperty('changes');
  });

  it.each<Record<string, unknown>>([
    { action: { enum: ['list', 'get'] } },
    { action: { const: 'list' } },
    { operation: text },
    { operation: { ...text, description: 'A comment, an order or a record' } },
    { my_next_action: { enum: ['delete'] } },
    { mode: text },
    { mode: { enum: ['post', 'open', 'fast'] } },
    { mode: { ...text, description: 'delete' } },
    { sort: { enum: ['delete'] } },
    { '': { enum: ['delete'] } },
  ])('but not %j', (properties) => {
    expect(read(properties)).toBeUndefined();
  });

  it('although the first one that could does not', () => {
    expect(because({ mode: { enum: ['fast'] }, action: { enum: ['delete'] } })).toBe(
      'the parameter action can be delete',
    );
    expect(because({ operation: text, method: { enum: ['PUT'] } })).toBe(
      'the parameter method can be PUT',
    );
  });
});

describe('a parameter is a program because of the description of the tool', () => {
  const schema = { properties: { query: text } };
  it('if that speaks of a language, and the parameter has no description', () => {
    expect(readSchema(schema, 'Query the database with SQL')).toMatchObject({
      because: 'the parameter query is run',
    });
    expect(readSchema(schema, 'Query the database')).toBeUndefined();
    expect(readSchema(schema, 7)).toBeUndefined();
    const words = { properties: { query: { ...text, description: 'Words to find' } } };
    expect(readSchema(words, 'Searches the SQL guide')).toBeUndefined();
  });
});

describe('a parameter confirms a change', () => {
  it.each([
    ['force', {}],
    ['confirmDeletion', {}],
    ['dryRun', {}],
    ['dryrun', {}],
    ['on_conflict', {}],
    ['replace-existing', {}],
    ['markAsRead', { type: 'boolean' }],
    ['send', { type: 'boolean' }],
    ['clear', { type: 'boolean' }],
    ['fix_problems', { type: 'boolean' }],
    ['autoFix', { type: 'boolean' }],
    ['should_delete', { type: 'boolean' }],
    ['apply', { type: 'boolean' }],
    ['options', { type: 'object', properties: { delete: { type: 'boolean' } } }],
  ])('%s: %j', (name, schema) => {
    expect(read({ [name]: schema })).toEqual({
      says: 'change',
      word: name,
      because: `it has a parameter ${name}`,
    });
  });

  it.each([
    ['enforce', { type: 'boolean' }],
    ['mark', text],
    ['with_send', { type: 'boolean' }],
    ['remove_duplicates', { type: 'boolean' }],
    ['forced', { type: 'boolean' }],
    ['apply_filters', { type: 'boolean' }],
    ['should', { type: 'boolean' }],
    ['clear', text],
    // These describe the object.
    ['filter', { type: 'object', properties: { archive: { type: 'boolean' } } }],
    ['filter', { type: 'object', properties: { delete: text } }],
    ['', { type: 'boolean' }],
  ])('but not %s: %j', (name, schema) => {
    expect(read({ [name]: schema })).toBeUndefined();
  });
});

describe('a parameter names an output', () => {
  it.each([
    ['outputPath', undefined],
    ['save_to', undefined],
    ['download_target_directory', undefined],
    ['outfile', undefined],
    ['path', 'Where the image is saved'],
    ['image_file', 'Write the image here'],
    ['fileName', 'The result is stored under this name'],
  ])('%s, described as %j', (name, description) => {
    expect(read({ [name]: { ...text, description } })).toEqual({
      says: 'change',
      word: name,
      because: `the parameter ${name} names an output`,
    });
  });

  it.each([
    ['output_format', undefined],
    ['my_output_path', undefined],
    ['outfiles', undefined],
    ['path', 'The file to read'],
    ['path', undefined],
    ['profile', 'Write the name of a profile'],
    ['name', 'The result is stored under this name'],
  ])('but not %s, described as %j', (name, description) => {
    expect(read({ [name]: { ...text, description } })).toBeUndefined();
  });
});

describe('a schema', () => {
  it('is read for the most harmful parameter first', () => {
    const properties = {
      savePath: text,
      force: { type: 'boolean' },
      action: { enum: ['delete'] },
      sql: text,
    };
    const without = (...names: string[]) =>
      because(
        Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
      );
    expect([
      without(),
      without('sql'),
      without('sql', 'action'),
      without('sql', 'action', 'force'),
    ]).toEqual([
      'the parameter sql is run',
      'the parameter action can be delete',
      'it has a parameter force',
      'the parameter savePath names an output',
    ]);
  });

  it('is read up to 200 parameters', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, text]));
    expect(read({ ...many(199), sql: text })?.word).toBe('sql');
    expect(read({ ...many(200), sql: text })).toBeUndefined();
  });

  it.each([undefined, null, 'sql', { properties: ['sql'] }, { properties: null }, { sql: text }])(
    'that is %j says nothing',
    (schema) => {
      expect(readSchema(schema)).toBeUndefined();
    },
  );

  it.each([null, 7, 'text', []])('may have a parameter whose own schema is %j', (schema) => {
    expect(read({ limit: schema })).toBeUndefined();
    expect(read({ sql: schema })?.word).toBe('sql');
  });
});
