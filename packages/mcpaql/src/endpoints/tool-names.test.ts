import { ENDPOINTS } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { adapterWith } from '../../../../test/adapters/adapters.js';
import { shows } from '../../../../test/requirements/shows.js';
import { createAdapterSource } from '../source/adapter-source.js';
import { nameClashes, toolNames } from './tool-names.js';

const BARE = { tool_names: { pattern: 'mcpaql_{endpoint}' } };
const listed = (adapter: ReturnType<typeof adapterWith>) =>
  createAdapterSource(adapter).offer.tool.map(({ name }) => name);

describe('the five tools of an adapter', () => {
  it(
    'have its name by default, even if it is the only one',
    shows('AQL-16', 'AQL-19', () => {
      expect(listed(adapterWith())).toEqual([
        'apple_mail_mcpaql_create',
        'apple_mail_mcpaql_read',
        'apple_mail_mcpaql_update',
        'apple_mail_mcpaql_delete',
        'apple_mail_mcpaql_execute',
      ]);
    }),
  );

  it(
    'follow the pattern of its file',
    shows('AQL-18', () => {
      const pattern = 'x-{endpoint}_of_{adapter}_mcpaql';
      expect(listed(adapterWith({ tool_names: { pattern } }))[1]).toBe(
        'x-read_of_apple_mail_mcpaql',
      );
      expect(listed(adapterWith(BARE))).toEqual(ENDPOINTS.map((endpoint) => `mcpaql_${endpoint}`));
    }),
  );

  it('have at most 64 characters, and stay unique when they are shortened', () => {
    const long = 'a-very-long-name-of-an-adapter-that-nobody-would-ever-want-to-type';
    const names = ['', 'b'].flatMap((end) => [
      ...toolNames(adapterWith({ name: (long + end).slice(0, 63) + (end || 'a') })).values(),
    ]);
    expect(new Set(names).size).toBe(10);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(names[1]).toContain('a_very_long_name');
  });

  it('can be given another pattern by the program that serves them', () => {
    const names = toolNames(adapterWith(), { pattern: 'mcpaql_{endpoint}' });
    expect(names.get('read')).toBe('mcpaql_read');
  });
});

describe('two adapters side by side', () => {
  it('have ten names', () => {
    const both = [adapterWith(), adapterWith({ name: 'github-api' })];
    const names = both.flatMap((adapter) => [...toolNames(adapter).values()]);
    expect(new Set(names).size).toBe(10);
    expect(nameClashes(both)).toEqual([]);
  });

  it(
    'cannot both omit their names, and the message names both',
    shows('AQL-17', () => {
      const two = [adapterWith(BARE), adapterWith({ ...BARE, name: 'github-api' })];
      expect(nameClashes(two)[0]).toMatchObject({
        name: 'mcpaql_create',
        adapters: ['apple-mail', 'github-api'],
        message: expect.stringContaining('"apple-mail" and "github-api"'),
      });
    }),
  );

  it('cannot have names that become equal in snake case, nor share the old names', () => {
    const clash = (a: Record<string, unknown>, b: Record<string, unknown>) =>
      nameClashes([adapterWith(a), adapterWith(b)]).length;
    expect(clash({ name: 'a-b' }, { name: 'a--b' })).toBe(5);
    const legacy = { tool_names: { legacy: true } };
    expect(clash({ name: 'aa', ...legacy }, { name: 'bb', ...legacy })).toBe(5);
    expect(clash({ name: 'aa', ...legacy }, { name: 'bb' })).toBe(0);
  });
});
