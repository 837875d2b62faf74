import { describe, expect, it } from 'vitest';

import { callKey, fingerprint, toolKey } from './call-key.js';
import { plainCall, plainCaller } from './testing/plain-call.js';

const ANN = plainCaller('session', 'ann');
const call = (tool: string, params?: object) => plainCall(ANN, tool, params);

describe('the key of a tool', () => {
  it('is the same for all arguments, and another for another tool or definition', () => {
    const one = call('a', { arguments: { a: 1 } });
    expect(toolKey(one)).toBe(toolKey(call('a')));
    expect(toolKey(one)).not.toBe(toolKey(call('b')));
    const target = { ...one.target!, item: { name: 'a', json: '{"name":"a","title":"New"}' } };
    expect(toolKey(one.with({ target }))).not.toBe(toolKey(one));
    // Two servers may define the same tool.
    const elsewhere = { ...one.target!, canonical: 'other:a' };
    expect(toolKey(one.with({ target: elsewhere }))).not.toBe(toolKey(one));
  });
});

describe('the key of a call', () => {
  it('is the same for the same arguments only', () => {
    expect(callKey(call('a', { arguments: { a: 1 } }))).toBe(
      callKey(call('a', { arguments: { a: 1 }, _meta: {} })),
    );
    expect(callKey(call('a', { arguments: { a: 1 } }))).not.toBe(
      callKey(call('a', { arguments: { a: 2 } })),
    );
    expect(callKey(call('a', { arguments: {} }))).toBe(callKey(call('a')));
    expect(callKey(call('a'))).not.toBe(callKey(call('b')));
    expect(callKey(call('a'))).not.toBe(toolKey(call('a')));
  });

  it('V5: is another for each answer to a question of the server', () => {
    const answered = (to: string) =>
      callKey(call('a', { arguments: {}, inputResponses: { q: { content: { to } } } }));
    expect(answered('ann')).toBe(answered('ann'));
    expect(answered('ann')).not.toBe(answered('bob'));
    expect(answered('ann')).not.toBe(callKey(call('a', { arguments: {} })));
  });

  it('is another for each resource behind a template', () => {
    const template = call('a');
    const reading = (uri: string) =>
      callKey(template.with({ subject: { ...template.target!, canonical: `s:${uri}` } }));
    expect(reading('file:///a')).toBe(reading('file:///a'));
    expect(reading('file:///a')).not.toBe(reading('file:///b'));
    expect(reading('file:///a')).not.toBe(callKey(template));
  });
});

it('a fingerprint tells parts apart that only together read the same', () => {
  expect(fingerprint(['ab', 'c'])).not.toBe(fingerprint(['a', 'bc']));
  expect(fingerprint(['a', 'b'])).not.toBe(fingerprint(['b', 'a']));
  expect(fingerprint(['a'])).not.toBe(fingerprint(['a', '']));
  expect(fingerprint(['a', 'b'])).toBe(fingerprint(['a', 'b']));
});
