import { Hub } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { cachedSource } from '../fleet/fleet.js';
import { searchTools } from './search.js';

const tool = (name: string, description: string, properties: object = {}) => ({
  name,
  json: JSON.stringify({ name, description, inputSchema: { type: 'object', properties } }),
});

describe('a search', () => {
  const hub = new Hub();
  hub.set(
    'files',
    cachedSource('files', [
      tool('read_file', 'Reads a file.', { path: {} }),
      tool('write_file', 'Writes a file after reading its folder.', { path: {}, content: {} }),
      tool('list_directory', 'Lists what is in a folder.'),
      { name: 'broken', json: '{' },
    ]),
  );
  const found = (query: string) =>
    searchTools(hub.entries('tool').values(), query).map(({ entry }) => entry.ref.tool);

  it('puts names before descriptions', () => {
    expect(found('read')).toEqual(['read_file', 'write_file']);
    expect(found('read file')[0]).toBe('read_file');
  });

  it('searches parameters, tolerates a typing error, and accepts beginnings of words', () => {
    expect(found('content')).toEqual(['write_file']);
    expect(found('directroy')).toEqual(['list_directory']);
    expect(found('dir')).toEqual(['list_directory']);
  });

  it('finds nothing in an empty list', () => {
    expect(found('zebra')).toEqual([]);
    expect(found('')).toEqual([]);
  });
});
