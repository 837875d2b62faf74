import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { didYouMean, nearestWord } from './nearest-word.js';

const WORDS = ['command', 'args', 'env', 'cwd', 'url', 'callTimeoutMs', 'mcpServers'];

describe('the nearest word', () => {
  it.each([
    ['comand', 'command'],
    ['commnad', 'command'],
    ['Command', 'command'],
    ['arg', 'args'],
    ['evn', 'env'],
    ['call_timeout_ms', 'callTimeoutMs'],
    ['callTimeoutMS', 'callTimeoutMs'],
    ['calTimoutMs', 'callTimeoutMs'],
    ['mcpServer', 'mcpServers'],
    ['mcp-servers', 'mcpServers'],
  ])('to %j is %j', (word, nearest) => {
    expect(nearestWord(word, WORDS)).toBe(nearest);
  });

  it.each(['', '---', 'arguments', 'timeout', 'x'])('to %j is none', (word) => {
    expect(nearestWord(word, WORDS)).toBeUndefined();
  });

  it.each([
    ['x', 'm'],
    ['x', 'mx'],
    ['db', 'dc'],
    ['m', ''],
  ])('of %j is not %j, which is not alike', (word, known) => {
    expect(nearestWord(word, [known])).toBeUndefined();
  });

  it.each([
    ['M', 'm'],
    ['dbs', 'db'],
    ['bb', 'b'],
    ['evn', 'env'],
  ])('of %j is %j, which is as short', (word, known) => {
    expect(nearestWord(word, [known])).toBe(known);
  });

  it('is the first of those that are equally near', () => {
    expect(nearestWord('servec', ['server', 'serves'])).toBe('server');
  });

  it('is the word itself where it is known', () => {
    fc.assert(
      fc.property(fc.constantFrom(...WORDS), (word) => {
        expect(nearestWord(word, WORDS)).toBe(word);
      }),
    );
  });

  it('is found quickly in words of any length', () => {
    expect(nearestWord('x'.repeat(1_000_000), ['y'.repeat(1_000_000)])).toBeUndefined();
  });
});

describe('advice', () => {
  it('suggests the nearest word, or lists the known ones', () => {
    expect(didYouMean('comand', WORDS, 'other')).toBe('did you mean "command"?');
    expect(didYouMean('nothing', WORDS, 'other')).toBe('other');
  });
});
