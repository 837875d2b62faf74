import { describe, expect, it } from 'vitest';

import { findCommand, givenConfig } from './command-line.js';
import { COMMANDS } from '../run/command-table.js';

const found = (line: string) => {
  const { entry, name, args } = findCommand(line.split(' ').filter(Boolean), COMMANDS);
  return [entry?.name, name, args.join(' ')];
};

describe('a command line', () => {
  it.each([
    ['list --json', ['list', 'list', '--json']],
    ['--json list', ['list', 'list', '--json']],
    ['-c x.json list y', ['list', 'list', '-c x.json y']],
    ['tools show a:b', ['tools show', 'tools show', 'a:b']],
    ['tools a:b', ['tools', 'tools', 'a:b']],
    [
      'audit --config x.json list --last 2',
      ['audit list', 'audit list', '--config x.json --last 2'],
    ],
    ['--json audit -q list', ['audit list', 'audit list', '--json -q']],
    ['tools --profile show', ['tools', 'tools', '--profile show']],
    ['config', [undefined, 'config', '']],
    ['', ['', '', '']],
    ['--json', ['', '', '--json']],
    ['nobody', [undefined, 'nobody', '']],
  ])('names a command: %s', (line, expected) => {
    expect(found(line)).toEqual(expected);
  });
});

describe('the word after a command', () => {
  it.each([
    ['audit --config x.json', undefined],
    ['audit --json lsit', 'lsit'],
    ['tools --config x.json shwo', 'shwo'],
    ['add x -- npx y', 'x'],
    ['serve -- y', undefined],
  ])('is no flag and no configuration: %s', (line, next) => {
    expect(findCommand(line.split(' '), COMMANDS).next).toBe(next);
  });
});

describe('the configuration of a command line', () => {
  it.each([
    ['list', undefined],
    ['-c a.json list', 'a.json'],
    ['list --config=a=b.json', 'a=b.json'],
    ['--config a.json list --config b.json', 'b.json'],
  ])('is known before it is checked: %s', (line, expected) => {
    expect(givenConfig(line.split(' '))).toBe(expected);
  });
});

describe('the table of commands', () => {
  it('has a module for each, with a unique name', async () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const entry of COMMANDS) {
      if ('load' in entry) expect(typeof (await entry.load()).command.run).toBe('function');
    }
  });
});
