import type { ScriptCall } from '@callsign/governance';
import { describe, expect, it } from 'vitest';

import { answerOfScript, questionForScript, scriptText } from './script-question.js';

const call = (number: number, more: Partial<ScriptCall> = {}): ScriptCall => ({
  number,
  tool: 'wiki:delete_page',
  effect: 'It deletes.',
  risk: 'destructive',
  arguments: `{"id":${number}}`,
  hidden: [],
  ...more,
});
const accepted = (content: object) => ({
  ok: true,
  json: JSON.stringify({ action: 'accept', content }),
});

describe('the question about a script', () => {
  it('counts the calls by tool, what destroys first, and shows each call', () => {
    const post = call(1, { tool: 'chat:list', risk: 'write', effect: 'It adds.' });
    const text = scriptText({ calls: [post, call(2), call(3)], purpose: 'Tidy', isAll: true });
    expect(text.split('\n')).toEqual([
      'Allow these 3 calls of a script? 2 × `wiki:delete_page` (destructive), 1 × `chat:list` (write)',
      'The model says that it is for: `Tidy`',
      '`chat:list`: It adds.',
      '  1. `{"id":1}`',
      '`wiki:delete_page`: It deletes.',
      '  2. `{"id":2}`',
      '  3. `{"id":3}`',
      'Nothing else is changed without another question.',
    ]);
  });

  it.each([
    ['a new line', 'x\n  2. `{"id":9}`\nNothing else'],
    ['a backtick', '` and nothing is deleted. `'],
    ['letters that turn the line around', 'x\u202Eenif si sihT'],
    ['a line separator', 'x\u2028  2. y'],
  ])('cannot be changed with %s', (_, words) => {
    const given = JSON.stringify({ words });
    const plain = scriptText({ calls: [call(1)], purpose: 'Tidy', isAll: true });
    const text = scriptText({
      calls: [call(1, { arguments: given })],
      purpose: words,
      isAll: true,
    });
    expect(text.split(/[\n\u2028\u2029]/)).toHaveLength(plain.split('\n').length);
    expect(text.match(/`/g)).toHaveLength(plain.match(/`/g)!.length);
    expect(text.split('\n')[1]).not.toContain('\u202E');
  });

  it('says what is not shown', () => {
    const hidden = [{ at: 'text', characters: 900, because: 'length' as const }];
    const text = scriptText({ calls: [call(1, { hidden })], purpose: 'x', isAll: false });
    expect(text).toContain('NOT SHOWN: 900 characters at `text`');
    expect(text).toContain('The script goes on after these calls.');
  });

  it('offers no choice of calls if there is only one', () => {
    const { params } = questionForScript({ calls: [call(1)], purpose: 'x', isAll: true });
    const { requestedSchema } = JSON.parse(params) as { requestedSchema: object };
    expect(requestedSchema).toMatchObject({
      properties: { answer: { enum: ['No', 'Yes, this call'] } },
    });
    expect(JSON.stringify(requestedSchema)).not.toContain('only');
  });
});

describe('an answer', () => {
  it('approves all, or some', () => {
    expect(answerOfScript(accepted({ answer: 'Yes, all 3 calls' }), 3)).toEqual({
      approved: new Set([1, 2, 3]),
    });
    const some = { answer: 'Yes, but only the calls in "only"', only: '1, 3' };
    expect(answerOfScript(accepted(some), 3)).toEqual({ approved: new Set([1, 3]) });
  });

  it.each([
    ['a no', { answer: 'No' }],
    ['another number of calls', { answer: 'Yes, all 2 calls' }],
    ['no numbers', { answer: 'Yes, but only the calls in "only"' }],
    ['unclear numbers', { answer: 'Yes, but only the calls in "only"', only: '1-9' }],
    ['something else', { answer: true }],
    ['nothing', {}],
  ])('that is %s approves nothing', (_, content) => {
    expect(answerOfScript(accepted(content), 3)).toHaveProperty('refusal');
  });

  it.each([
    [{ ok: false, json: '{}' }],
    [{ ok: true, json: '{"action":"decline"}' }],
    [{ ok: true, json: '{"action":"cancel","content":{"answer":"Yes, all 3 calls"}}' }],
    [{ ok: true, json: 'null' }],
  ])('%j approves nothing', (reply) => {
    expect(answerOfScript(reply, 3)).toHaveProperty('refusal');
  });
});
