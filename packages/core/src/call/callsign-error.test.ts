import { describe, expect, it } from 'vitest';

import { CALLSIGN_ERRORS, CallsignError, type CallsignErrorCode } from './callsign-error.js';

const CODES = Object.keys(CALLSIGN_ERRORS) as CallsignErrorCode[];

describe('a coded error', () => {
  it('has its details in the message', () => {
    const error = new CallsignError('upstream-timeout', { server: 'fs', seconds: 30 });
    expect(error.message).toBe('Server "fs" did not answer within 30 s.');
    expect(error).toMatchObject({
      name: 'CallsignError',
      code: 'upstream-timeout',
      details: { server: 'fs', seconds: 30 },
    });
    expect(error).toBeInstanceOf(Error);
  });

  it('inserts details as plain text, even if they look like placeholders', () => {
    const reason = '$& {server} $1';
    expect(new CallsignError('invalid-params', { reason }).message).toBe(
      `Invalid params: ${reason}`,
    );
  });

  it('leaves out details that are not known', () => {
    expect(new CallsignError('invalid-params').message).toBe('Invalid params: ');
    expect(new CallsignError('invalid-params').details).toEqual({});
  });

  it.each(CODES)('%s fills every placeholder', (code) => {
    const blanks = CALLSIGN_ERRORS[code].match(/\{\w+\}/g) ?? [];
    const details = Object.fromEntries(blanks.map((blank) => [blank.slice(1, -1), 'filled']));
    expect(new CallsignError(code, details).message).not.toMatch(/[{}]/);
    expect(new CallsignError(code).message).not.toMatch(/[{}]|undefined/);
  });

  it.each(CODES)('%s is named in kebab-case', (code) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});
