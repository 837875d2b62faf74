import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { titleIsName, titleMissing, titleShared } from './title-rules.js';

describe('title-missing', () => {
  it.each([
    ['nothing', {}],
    ['a blank title', { title: '  ' }],
    ['a title that is no text', { title: 7, annotations: { title: null } }],
    ['annotations that are no object', { annotations: 'List' }],
  ])('reports a tool with %s', (_, tool) => {
    expect(titleMissing.check([{ name: 'list', ...tool }])).toMatchObject([
      { tool: 'list', message: 'Has no title.' },
    ]);
  });

  it('accepts a title in either place', () => {
    const tools = [
      { name: 'a', title: 'List issues' },
      { name: 'b', annotations: { title: 'List pulls' } },
    ];
    expect(titleMissing.check(tools)).toEqual([]);
  });
});

describe('title-is-name', () => {
  it.each(['list_issues', 'list-issues', 'listIssues', 'echo', 'github:list'])(
    'reports %s as its own title',
    (name) => {
      expect(titleIsName.check([{ name, title: name }])).toHaveLength(1);
      expect(titleIsName.check([{ name, annotations: { title: name } }])).toHaveLength(1);
    },
  );

  it.each([
    ['list_issues', 'List issues'],
    ['Search', 'Search'],
    ['echo', 'Echo'],
  ])('accepts %s titled "%s"', (name, title) => {
    expect(titleIsName.check([{ name, title }])).toEqual([]);
  });
});

describe('title-shared', () => {
  it('reports every tool of the group and names the others', () => {
    const flaws = titleShared.check([
      { name: 'c', title: 'List' },
      { name: 'a', annotations: { title: ' list ' } },
      { name: 'b', title: 'List' },
      { name: 'd', title: 'List all' },
    ]);
    expect(flaws.map(({ tool, message }) => `${tool} ${message}`)).toEqual([
      'c Shares the title "List" with a, b.',
      'a Shares the title "list" with b, c.',
      'b Shares the title "List" with a, c.',
    ]);
  });

  it('names three of many others', () => {
    const tools = ['e', 'd', 'c', 'b', 'a'].map((name) => ({ name, title: 'List' }));
    expect(titleShared.check(tools)[0]?.message).toBe(
      'Shares the title "List" with a, b, c and 1 more.',
    );
  });

  it('names three others of those that come first, and of tools with one name all but itself', () => {
    const tools = ['a', 'a', 'b', 'c', 'd', 'z'].map((name) => ({ name, title: 'List' }));
    expect(titleShared.check(tools).map(({ message }) => message.replace(/.* with /, ''))).toEqual([
      'a, b, c and 2 more.',
      'a, b, c and 2 more.',
      'a, a, c and 2 more.',
      'a, a, b and 2 more.',
      'a, a, b and 2 more.',
      'a, a, b and 2 more.',
    ]);
  });

  it('does not compare every tool with every other', () => {
    const tools = Array.from({ length: 200_000 }, (_, at) => ({ name: `t${at}`, title: 'List' }));
    expect(withoutHanging(() => titleShared.check(tools).length)).toBe(200_000);
  });

  it('ignores tools without titles', () => {
    expect(titleShared.check([{ name: 'a' }, { name: 'b' }])).toEqual([]);
  });
});
