import { describe, expect, it } from 'vitest';

import { isSwitchedOn, toolListsOf, withoutToolLists } from './tool-lists.js';
import type { WrittenEntry } from './written-entry.js';

describe('a tool', () => {
  it('is on if the lists name it, or have no say', () => {
    expect(isSwitchedOn({ exclude: [] }, 'a')).toBe(true);
    expect(isSwitchedOn({ include: ['a'], exclude: [] }, 'a')).toBe(true);
    expect(isSwitchedOn({ include: [], exclude: [] }, 'a')).toBe(false);
    expect(isSwitchedOn({ include: ['a'], exclude: ['a'] }, 'a')).toBe(false);
  });

  it('is on in an entry without its lists', () => {
    const entry = { command: 'x', tools: ['a'], excludeTools: ['b'], disabled_tools: ['c'] };
    expect(withoutToolLists(entry)).toEqual({ command: 'x' });
  });
});

describe('the tools that an entry switches on or off', () => {
  it.each([
    ['Windsurf and Roo', { disabledTools: ['a'] }, undefined, ['a']],
    ['Gemini', { includeTools: ['a', 'b(c)'], excludeTools: ['d'] }, ['a', 'b'], ['d']],
    ['Codex', { enabled_tools: ['a'], disabled_tools: ['b'] }, ['a'], ['b']],
    ['Copilot', { tools: ['a'] }, ['a'], []],
    ['Copilot, for all tools', { tools: ['*'] }, undefined, []],
    ['no list at all', { tools: { a: {} }, enabledTools: 7, disabledTools: 'x' }, undefined, []],
    ['two lists', { includeTools: ['a', 'b'], tools: ['b', 'c'] }, ['b'], []],
    ['an empty list', { includeTools: [] }, [], []],
    ['other values in a list', { disabledTools: ['a', 7, null] }, undefined, ['a']],
  ])('are found in an entry of %s', (_, entry: object, include, exclude) => {
    expect(toolListsOf(entry as WrittenEntry)).toEqual({
      ...(include ? { include } : {}),
      exclude,
    });
  });
});
