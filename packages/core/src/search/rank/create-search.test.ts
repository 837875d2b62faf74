import { describe, expect, it } from 'vitest';

import { createSearch } from './create-search.js';
import type { SearchedTool } from './searched-tool.js';

const TOOLS: readonly SearchedTool[] = [
  { name: 'create_message', description: 'Sends a text to a phone.', parameters: [{ name: 'to' }] },
  { name: 'list_messages', description: 'Lists texts.' },
  { name: 'ListCall', description: 'Retrieves calls made from your account.' },
  { name: 'delete_branch', title: 'Delete a branch', description: 'For ever.' },
  { name: 'take_screenshot', parameters: [{ name: 'fullPage', description: 'The whole canvas.' }] },
];

const find = (query: string, tools = TOOLS) =>
  createSearch(tools, (tool) => tool)(query).map(({ thing }) => thing.name);

describe('a search for tools', () => {
  it('does not depend on word order, plurals or endings', () => {
    for (const query of ['list messages', 'messages list', 'listing message', 'Message LISTED']) {
      expect(find(query)[0]).toBe('list_messages');
    }
    expect(find('calls')[0]).toBe('ListCall');
  });

  it('knows synonyms and phrases', () => {
    expect(find('send sms')[0]).toBe('create_message');
    expect(find('get rid of a branch')[0]).toBe('delete_branch');
    expect(find('remove branches')[0]).toBe('delete_branch');
  });

  it('puts the word itself before its synonyms', () => {
    const tools = [{ name: 'remove_user' }, { name: 'delete_user' }, { name: 'erase_user' }];
    expect(find('delete user', tools)[0]).toBe('delete_user');
    expect(find('erase user', tools)[0]).toBe('erase_user');
  });

  it('knows words with the same root', () => {
    const tools = [{ name: 'list_vulnerabilities' }, { name: 'list_volumes' }];
    expect(find('vulnerable', tools)).toEqual(['list_vulnerabilities']);
    expect(find('volt', tools)).toEqual([]);
  });

  it('puts tools that read first, if the question asks to know something', () => {
    const tools = [
      { name: 'fill_team', reads: false },
      { name: 'see_team', reads: true },
    ];
    for (const query of ['who is in the team', 'how big is the team', 'Is there a team?']) {
      expect(find(query, tools)[0], query).toBe('see_team');
    }
    for (const query of ['team', 'how do I change the team', 'whose team']) {
      expect(find(query, tools)[0], query).toBe('fill_team');
    }
    // What it does is not known, so it is not put behind.
    expect(find('who is in the team', [{ name: 'team' }, tools[1]!])[0]).toBe('team');
  });

  it('reads parameters and their descriptions', () => {
    expect(find('full page')).toContain('take_screenshot');
    expect(find('canvas')).toEqual(['take_screenshot']);
  });

  it('tolerates a typing error, accepts beginnings of words, and joins words', () => {
    expect(find('brnach')[0]).toBe('delete_branch');
    expect(find('screensh')[0]).toBe('take_screenshot');
    expect(find('screen shot')[0]).toBe('take_screenshot');
  });

  it('leaves out words that say nothing, unless there are no others', () => {
    expect(find('what are the branches, please')[0]).toBe('delete_branch');
    expect(find('how')).toEqual([]);
    expect(find('to')).toContain('create_message');
  });

  it('counts the words of a key for the server, not for its tools', () => {
    const tools = [
      { server: 'asana', name: 'asana_get_task' },
      { server: 'trello', name: 'add_asana_link' },
      { server: 'asana', name: 'asana' },
    ];
    expect(find('asana task', tools)[0]).toBe('asana_get_task');
    expect(find('link', tools)).toEqual(['add_asana_link']);
    expect(find('asana', tools)).toHaveLength(3);
  });

  it('finds nothing in an empty list', () => {
    expect(find('zebra')).toEqual([]);
    expect(find('')).toEqual([]);
    expect(find('message', [])).toEqual([]);
  });

  it('reads a bounded part of any question', () => {
    const tools = TOOLS.map((tool) => ({ ...tool, description: 'a '.repeat(1e5) }));
    expect(find('b'.repeat(1e6), tools)).toEqual([]);
    expect(find('branch '.repeat(1e5), tools)).toEqual(['delete_branch']);
  });

  it('accepts any value as the description of a parameter', () => {
    const tools = [{ name: 'a', parameters: [{ name: 'b', description: { not: 'text' } }] }];
    expect(find('b', tools)).toEqual(['a']);
  });
});
