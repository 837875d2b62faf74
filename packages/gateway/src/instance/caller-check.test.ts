import { createApiKey } from '@callsign/auth';
import { createLog, type Entry, type Principal, type Target } from '@callsign/core';
import type { Wanted } from '@callsign/instances/peers';
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

  it('judges the resource that a template leads to', async () => {
    const listed = (name: string): Entry =>
      ({ ref: { server: 'fs', tool: name }, item: { name, json: '{}' } }) as Entry;
    const items = {
      entry: (_: string, __: string, canonical: string) => listed(canonical.slice(3)),
    };
    const sight = () => (target: Target) => target.ref.tool === 'x://1';
    const { check } = callerCheck(authOf({}), { sight }, items);
    const may = (one: Omit<Wanted, 'server'>): Promise<boolean> =>
      check(undefined, { server: 'fs', ...one }).then(
        () => true,
        () => false,
      );
    expect(await may({ kind: 'template', name: 'x://{n}', uri: 'x://1' })).toBe(true);
    expect(await may({ kind: 'template', name: 'x://{n}', uri: 'x://2' })).toBe(false);
    expect(await may({ kind: 'template', name: 'x://{n}' })).toBe(false);
  });
});
