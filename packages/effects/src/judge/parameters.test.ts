import { describe, expect, it } from 'vitest';

import { parametersOf, readParameters } from './parameters.js';

const text = { type: 'string' };
/** The facts that count for a label, each as `effect certainty: because`. */
const readSchema = (schema: unknown, about = '') =>
  readParameters(parametersOf(schema), about)
    .filter(({ certainty }) => certainty !== 'weak')
    .map(({ effect, certainty, because }) => `${effect} ${certainty}: ${because}`);
const read = (properties: Record<string, unknown>) => readSchema({ type: 'object', properties });

describe('a parameter is a program that the tool runs', () => {
  it.each<[string, unknown, string]>([
    ['sql', text, 'clear'],
    ['sqlCommand', text, 'clear'],
    ['script', {}, 'clear'],
    ['commands', { type: 'array' }, 'clear'],
    ['cmd', { type: ['string', 'null'] }, 'clear'],
    ['query', { ...text, description: 'The SQL to run' }, 'likely'],
    ['my_long_query', { ...text, description: 'Cypher, for the graph' }, 'likely'],
    ['body', { ...text, description: 'Code that will be executed' }, 'likely'],
    ['input', { ...text, description: 'JavaScript to evaluate' }, 'likely'],
  ])('%s: %j', (name, schema, certainty) => {
    expect(read({ limit: text, [name]: schema })).toEqual([
      `runs ${certainty}: the parameter ${name} is run`,
    ]);
  });

  it.each<[string, unknown]>([
    ['sql', { type: 'boolean' }],
    ['script', { type: 'object' }],
    ['allow_shell_command', text],
    ['script_id', text],
    ['query', text],
    ['query', { ...text, description: 'What to look for' }],
    ['note', { ...text, description: 'Mentions SQL' }],
    ['', text],
  ])('but not %s: %j', (name, schema) => {
    expect(read({ [name]: schema })).toEqual([]);
  });

  it('because of the description of the tool, if it has none itself', () => {
    const schema = { properties: { query: text } };
    expect(readSchema(schema, 'query the database with sql')).toHaveLength(1);
    expect(readSchema(schema, 'query the database')).toEqual([]);
    const words = { properties: { query: { ...text, description: 'Words to find' } } };
    expect(readSchema(words, 'searches the sql guide')).toEqual([]);
  });

  it('unless it can only read (R6)', () => {
    const schema = { properties: { sql: text } };
    expect(readSchema(schema, 'execute a select query')).toEqual([]);
    expect(readSchema(schema, 'runs read-only sql')).toEqual([]);
    expect(readSchema(schema, 'select the best query')).toHaveLength(1);
  });
});

describe('a parameter chooses the action', () => {
  it.each<[Record<string, unknown>, string]>([
    // The worst value counts.
    [{ action: { enum: ['list', 'add', 'delete'] } }, 'destroys clear: action can be delete'],
    [{ http_method: { enum: ['GET', 'POST'] } }, 'changes clear: http_method can be POST'],
    [{ op: { const: 'remove_user' } }, 'destroys clear: op can be remove_user'],
    [{ mode: { enum: ['read', 'delete'] } }, 'destroys clear: mode can be delete'],
    [{ action: { enum: [1, null, 'set'] } }, 'changes clear: action can be set'],
    [{ action: { ...text, default: 'purge' } }, 'destroys clear: action can be purge'],
    // Values that may change something.
    [{ action: { enum: ['list', 'export'] } }, 'changes likely: action can be export'],
    [
      { operation: { ...text, description: 'One of get, delete' } },
      'changes likely: operation can be delete',
    ],
    [
      { operation: { ...text, description: 'GET or PATCH' } },
      'changes likely: operation can be patch',
    ],
  ])('%j', (properties, why) => {
    expect(read(properties)).toEqual([why.replace(': ', ': the parameter ')]);
  });

  it.each(['action', 'tab_action'])('%s, without a list of values', (name) => {
    const schema = { ...text, description: 'A comment about it' };
    expect(read({ [name]: schema })).toEqual([`runs likely: ${name} chooses what it does`]);
  });

  it.each<Record<string, unknown>>([
    { action: { enum: ['list', 'get'] } },
    { action: { const: 'list' } },
    { action: { enum: ['refund', 'credit'], description: 'Filter by it' } },
    { operation: text },
    { method: text },
    { sms_method: { enum: ['GET', 'POST'] } },
    { operation: { ...text, description: 'A comment, an order or a record' } },
    { my_next_action: { enum: ['delete'] } },
    { mode: text },
    { mode: { enum: ['post', 'open', 'fast'] } },
    { mode: { ...text, description: 'delete' } },
    { sort: { enum: ['ascending'] } },
    { '': { enum: ['delete'] } },
  ])('but not %j', (properties) => {
    expect(read(properties)).toEqual([]);
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
  ])('%s: %j', (name, schema) => {
    expect(read({ [name]: schema })).toEqual([`changes likely: it has a parameter ${name}`]);
  });

  it('in an object of options', () => {
    const options = { type: 'object', properties: { delete: { type: 'boolean' } } };
    expect(read({ options })).toEqual(['changes likely: it has a parameter delete']);
  });

  it.each([
    ['enforce', { type: 'boolean' }],
    ['mark', text],
    ['with_send', { type: 'boolean' }],
    ['remove_duplicates', { type: 'boolean' }],
    ['forced', { type: 'boolean' }],
    ['apply_filters', { type: 'boolean' }],
    ['archive_serial_number__isnull', { type: 'boolean' }],
    ['should', { type: 'boolean' }],
    ['clear', text],
    // These describe the object.
    ['filter', { type: 'object', properties: { archive: { type: 'boolean' } } }],
    ['filter', { type: 'object', properties: { delete: text } }],
    ['', { type: 'boolean' }],
  ])('but not %s: %j', (name, schema) => {
    expect(read({ [name]: schema })).toEqual([]);
  });
});

describe('a parameter names an output (R2)', () => {
  it.each([
    ['outputPath', undefined],
    ['save_to', undefined],
    ['local_path', undefined],
    ['download_target_directory', undefined],
    ['outfile', undefined],
    ['output', 'Output directory path for downloading'],
  ])('%s, described as %j', (name, description) => {
    expect(read({ [name]: { ...text, description } })).toEqual([
      `changes clear: the parameter ${name} names an output`,
    ]);
  });

  it.each([
    ['path', 'Where the image is saved on disk'],
    ['image_file', 'Write the image here'],
    ['fileName', 'The result is stored under this name'],
  ])('maybe %s, described as %j', (name, description) => {
    expect(read({ [name]: { ...text, description } })).toEqual([
      `changes likely: the parameter ${name} names an output`,
    ]);
  });

  it.each([
    ['output_format', undefined],
    ['output', 'json or text'],
    ['my_output_path', undefined],
    ['outfiles', undefined],
    ['path', 'The file to read'],
    ['path', undefined],
    ['profile', 'Write the name of a profile'],
    ['name', 'The result is stored under this name'],
  ])('but not %s, described as %j', (name, description) => {
    expect(read({ [name]: { ...text, description } })).toEqual([]);
  });
});

describe('a schema', () => {
  it('is read up to 200 parameters', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, text]));
    expect(read({ ...many(199), sql: text })).toHaveLength(1);
    expect(read({ ...many(200), sql: text })).toEqual([]);
  });

  it('is followed through references, alternatives, items and inner objects', () => {
    const schema = {
      $defs: { A: { properties: { deep: text } } },
      anyOf: [{ properties: { first: text } }, { $ref: '#/$defs/A' }],
      properties: { list: { type: 'array', items: { properties: { inner: text } } } },
    };
    expect(parametersOf(schema).map(({ name }) => name)).toEqual([
      'list',
      'inner',
      'first',
      'deep',
    ]);
  });

  it.each([undefined, null, 'sql', { properties: ['sql'] }, { properties: null }, { sql: text }])(
    'that is %j says nothing',
    (schema) => {
      expect(readSchema(schema)).toEqual([]);
    },
  );

  it.each([null, 7, 'text', []])('may have a parameter whose own schema is %j', (schema) => {
    expect(read({ limit: schema })).toEqual([]);
    expect(read({ sql: schema })).toHaveLength(1);
  });
});
