import { createApiKey } from '@callsign/auth';
import { createLog, type Entry, type Principal } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { CallerAuth } from '../auth/caller-auth.js';
import { configured, plain } from '../testing/served.js';
import { callerCheck } from './caller-check.js';

const { key, hash } = createApiKey();
const wanted = { kind: 'tool', server: 'fs', name: 'echo' } as const;
const entry = { entry: () => ({}) as Entry };
const everything = { sight: () => undefined };

function authOf(callsign: object): CallerAuth {
  return new CallerAuth(
    configured({ fs: plain() }, callsign),
    createLog('error', () => undefined),
  );
}

describe('the check of a caller of another instance', () => {
  const auth = authOf({ auth: { keys: [{ name: 'ann', hash }] } });

  it('accepts the credential that the caller sent', async () => {
    const { check } = callerCheck(auth, everything, entry);
    expect(await check(`Bearer ${key}`, wanted)).toMatchObject({ name: 'key:ann' });
  });

  it.each([undefined, 'Bearer wrong', 'ann', ''])('refuses %s', async (credential) => {
    const { check } = callerCheck(auth, everything, entry);
    await expect(check(credential, wanted)).rejects.toThrow(
      'A caller without a valid credential may not use fs:echo.',
    );
  });

  it('asks for nothing if no credential is required', async () => {
    const open = callerCheck(authOf({}), everything, entry);
    expect(open.isRequired).toBe(false);
    expect(await open.check(undefined, wanted)).toBeUndefined();
  });

  it('refuses a tool that the caller may not see', async () => {
    const sight = (principal: Principal | undefined) => () => principal?.name !== 'key:ann';
    const { check } = callerCheck(auth, { sight }, entry);
    await expect(check(`Bearer ${key}`, wanted)).rejects.toThrow('key:ann may not use fs:echo.');
  });
});
