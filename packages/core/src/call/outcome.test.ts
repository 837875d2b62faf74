import { describe, expect, it } from 'vitest';

import { CallsignError } from './callsign-error.js';
import { outcomeOfError, outcomeOfReply } from './outcome.js';

describe('the outcome of a call', () => {
  it.each([
    ['{"content":[]}', 'ok'],
    ['{"content":[],"isError":true}', 'tool-error'],
    ['{"isError":true}', 'tool-error'],
    ['{"isError" : true }', 'tool-error'],
    ['{"isError":false}', 'ok'],
    ['{"isError":"true"}', 'ok'],
    ['{"content":[{"text":"E \\"isError\\":true"}]}', 'ok'],
    ['{"EEE":1,"content":"EE","isError":true}', 'tool-error'],
    ['{"structuredContent":{"isError":true}}', 'ok'],
    ['"isError"', 'ok'],
  ])('with the result %s is %s', (json, outcome) => {
    expect(outcomeOfReply({ ok: true, json })).toBe(outcome);
  });

  it('with an error is the server’s, or our own code', () => {
    const json = '{"code":-32000,"isError":true}';
    expect(outcomeOfReply({ ok: false, json })).toBe('server-error');
    const fault = new CallsignError('policy-denied');
    expect(outcomeOfReply({ ok: false, json, fault })).toBe('policy-denied');
  });

  it('without an answer is our code, or a failure of the gateway', () => {
    expect(outcomeOfError(new CallsignError('upstream-closed'))).toBe('upstream-closed');
    expect(outcomeOfError(new Error('upstream-closed'))).toBe('internal-error');
    expect(outcomeOfError(undefined)).toBe('internal-error');
  });
});
