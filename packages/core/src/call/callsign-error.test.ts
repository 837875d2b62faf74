import { describe, expect, it } from 'vitest';

import { CALLSIGN_ERRORS, CallsignError, type CallsignErrorCode } from './callsign-error.js';

const CODES = Object.keys(CALLSIGN_ERRORS) as CallsignErrorCode[];

describe('an error of our own', () => {
  it('says what its details say', () => {
    const error = new CallsignError('upstream-timeout', { server: 'fs', seconds: 30 });
    expect(error.message).toBe('Server "fs" did not answer within 30 s.');
    expect(error).toMatchObject({
      name: 'CallsignError',
      code: 'upstream-timeout',
      details: { server: 'fs', seconds: 30 },
    });
    expect(error).toBeInstanceOf(Error);
  });

  it('takes details for text, whatever they look like', () => {
    const reason = '$& {server} $1';
    expect(new CallsignError('invalid-params', { reason }).message).toBe(
      `Invalid params: ${reason}`,
    );
  });

  it.each(CODES)('%s leaves no blank unfilled', (code) => {
    const blanks = CALLSIGN_ERRORS[code].match(/\{\w+\}/g) ?? [];
    const details = Object.fromEntries(blanks.map((blank) => [blank.slice(1, -1), 'filled']));
    expect(new CallsignError(code, details).message).not.toMatch(/[{}]/);
    expect(new CallsignError(code).message).not.toMatch(/[{}]|undefined/);
  });

  it.each(CODES)('%s is named in kebab-case', (code) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});
