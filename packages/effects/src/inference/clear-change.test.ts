import { describe, expect, it } from 'vitest';

import { clearChange } from './clear-change.js';
import type { ToolWords } from './infer.js';

const choosing = (...options: string[]) => ({ properties: { action: { enum: options } } });
const running = (name: string) => ({ properties: { [name]: { description: 'sql' } } });

describe('a clear change', () => {
  it.each<[ToolWords, boolean, string]>([
    [{ name: 'delete_file' }, true, 'the name says delete'],
    [{ name: 'delete' }, true, 'the name says delete'],
    [{ name: 'update_row' }, false, 'the name says update'],
    [{ name: 'remove_label' }, false, 'the name says remove'],
    [{ name: 'add_row' }, false, 'the name says add'],
    [
      { name: 'delete_file', description: 'Creates x', title: 'Files' },
      true,
      'the name says delete',
    ],
  ])('is stated by the name of %j', (tool, removes, because) => {
    expect(clearChange(tool)).toEqual({ removes, because });
  });

  it.each<[ToolWords, boolean, string]>([
    [{ name: 'x', inputSchema: choosing('get', 'set') }, false, 'the parameter action can be set'],
    [
      { name: 'x', inputSchema: choosing('create', 'delete_all') },
      true,
      'the parameter action can be delete_all',
    ],
    [
      { name: 'list_x', inputSchema: choosing('add', 'remove') },
      false,
      'the parameter action can be add',
    ],
  ])('is offered by a parameter of %j', (tool, removes, because) => {
    expect(clearChange(tool)).toEqual({ removes, because });
  });

  it.each<[string, boolean]>([
    ['Write the bytes to a file', false],
    ['Overwrites a file', true],
  ])('is stated by a description and a parameter: %j', (description, removes) => {
    const [verb] = /^\w+?(?=s? )/.exec(description)!;
    expect(
      clearChange({
        name: 'download_bytes',
        description,
        inputSchema: { properties: { outputPath: {} } },
      }),
    ).toEqual({ removes, because: `the description says ${verb.toLowerCase()}` });
  });

  it.each<ToolWords>([
    { name: 'run_sql', inputSchema: running('sql') },
    { name: 'exec_sql', inputSchema: running('sql') },
    { name: 'eval_sql', inputSchema: running('sql') },
    { name: 'sql', description: 'Executes sql', inputSchema: running('sql') },
  ])('is a program that the tool runs: %j', (tool) => {
    expect(clearChange(tool)).toEqual({ removes: false, because: 'the parameter sql is run' });
  });

  it.each<[string, ToolWords]>([
    ['the name reads', { name: 'list_files' }],
    ['the name has no verb', { name: 'thing' }],
    ['the verb may or may not change something', { name: 'upload_file' }],
    ['the verb is vague', { name: 'run_job' }],
    ['the verb belongs to the thing that is asked for', { name: 'update_history' }],
    ['the name is one word that may add numbers', { name: 'add' }],
    ['the title reads', { name: 'delete_file', title: 'List files' }],
    ['the description reads', { name: 'delete_file', description: 'Lists files' }],
    ['the description probably reads', { name: 'delete_file', description: 'Extracts text' }],
    ['the description may read', { name: 'delete_file', description: 'Verifies a file' }],
    ['the description denies it', { name: 'delete_file', description: 'This is read-only' }],
    ['a value may only read', { name: 'x', inputSchema: choosing('list', 'export') }],
    ['no verb says that the program is run', { name: 'sql', inputSchema: running('sql') }],
    ['the program is maybe a question', { name: 'run_query', inputSchema: running('query') }],
    ['only the description states it', { name: 'poem', description: 'Write a poem' }],
    [
      'the description is vague',
      {
        name: 'scan',
        description: 'Run a scan',
        inputSchema: { properties: { outputPath: {} } },
      },
    ],
    [
      'the name reads, although the description does not',
      {
        name: 'get_bytes',
        description: 'Write the bytes to a file',
        inputSchema: { properties: { outputPath: {} } },
      },
    ],
    ['a parameter only confirms', { name: 'run_x', inputSchema: { properties: { force: {} } } }],
  ])('is missing if %s', (_, tool) => {
    expect(clearChange(tool)).toBeUndefined();
  });
});
