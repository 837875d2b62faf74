import { describe, expect, it } from 'vitest';

import { placedEntries, withEntry, withSwitch } from './server-entries.js';
import { readJson } from './json-edit.js';
import { renameServer } from './rename-server.js';
import { isListedOff, withListed, withoutListed } from './server-lists.js';
import type { WrittenEntry } from './written-entry.js';

const fileWith = (mcp: object) =>
  JSON.stringify({ mcp, mcpServers: { a: { command: 'x' }, b: { command: 'y' } } });
const offIn = (text: string) =>
  placedEntries(readJson(text) as WrittenEntry).flatMap(({ key, isOff }) => (isOff ? key : []));

describe('the server lists of Gemini CLI', () => {
  it.each([
    ['no list', {}, []],
    ['a server that is not allowed', { allowed: ['a'] }, ['b']],
    ['an excluded server', { excluded: ['a'] }, ['a']],
    ['both lists', { allowed: ['a'], excluded: ['a'] }, ['a', 'b']],
    ['an empty list, which allows all', { allowed: [] }, []],
    ['other case and spaces', { excluded: [' A '] }, ['a']],
    ['values that are no names', { allowed: 'a', excluded: [7, null] }, []],
  ])('switch off: %s', (_, mcp, off) => {
    expect(offIn(fileWith(mcp))).toEqual(off);
  });

  it.each(['text', null, [], { mcp: 'text' }, { mcp: { excluded: {} } }])(
    'may be anything else: %j',
    (document) => expect(isListedOff(document, 'a')).toBe(false),
  );

  it('let a server run once it is enabled', () => {
    const text = fileWith({ allowed: ['a'], excluded: ['b', 'B'] });
    const placed = placedEntries(readJson(text) as WrittenEntry).find(({ key }) => key === 'b')!;
    const on = withSwitch(text, placed, true);
    expect(readJson(on)).toMatchObject({ mcp: { allowed: ['a', 'b'], excluded: [] } });
    expect(withSwitch(text, placed, false)).toBe(text);
  });

  it('let a server run that is switched off twice', () => {
    const text = '{"mcp": {"excluded": ["a"]}, "mcpServers": {"a": {"enabled": false}}}';
    const [placed] = placedEntries(readJson(text) as WrittenEntry);
    expect(offIn(withSwitch(text, placed!, true))).toEqual([]);
  });

  it('let a new server run, and follow a renamed one', () => {
    const text = fileWith({ allowed: ['a'] });
    const added = withEntry(text, readJson(text) as WrittenEntry, 'new', { command: 'z' });
    expect(offIn(added)).toEqual(['b']);
    expect(offIn(renameServer(added, 'a', 'other'))).toEqual(['b']);
  });

  it('lose a name, but never the last allowed one', () => {
    const text = withListed('{"mcp": {"allowed": ["a"]}}', 'b');
    expect(withoutListed(text, 'b')).toBe('{"mcp": {"allowed": ["a"]}}');
    expect(withoutListed('{"mcp": {"allowed": ["b"]}}', 'b')).toBe('{"mcp": {"allowed": ["b"]}}');
  });
});
