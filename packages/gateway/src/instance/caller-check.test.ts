import { createApiKey, emptyState } from '@callsign/auth';
import { createLog, type Entry, type Principal, type Target } from '@callsign/core';
import type { Wanted } from '@callsign/instances/peers';
import { describe, expect, it } from 'vitest';

import { CallerAuth } from '../auth/caller-auth.js';
import { configured, plain } from '../testing/served.js';
import { callerCheck } from './caller-check.js';

const { hash } = createApiKey();
const wanted = { kind: 'tool', server: 'fs', name: 'echo' } as const;
const entry = { entry: () => ({}) as Entry };
const everything = { sight: () => undefined };

function authOf(callsign: object): CallerAuth {
  return new CallerAuth(configured({ fs: plain() }, callsign), {
    log: createLog('error', () => undefined),
    env: {},
    signIns: {
      pageKey: new Uint8Array(32),
      get: emptyState,
      change: async () => undefined as never,
    },
    access: () => ({ tools: [], roles: [] }),
    operators: { newId: () => '', ask: () => undefined },
  });
}

describe('the check of a caller of another instance', () => {
  const auth = authOf({ auth: { keys: [{ name: 'ann', hash }] } });

  const ann = { name: 'key:ann', roles: [] };

  it('accepts a caller whose key is known here', () => {
    const { check, state } = callerCheck(auth, everything, entry);
    expect(check(ann, wanted)).toEqual(ann);
    expect(state(ann)).toEqual(ann);
  });

  it.each([
    undefined,
    { name: 'key:bob', roles: [] },
    { name: 'key:ann', roles: ['admin'] },
    { name: 'sub:ann', roles: [], until: Date.now() + 60_000 },
  ])('refuses a caller that is not known here, or has other roles: %j', (stated) => {
    const { check } = callerCheck(auth, everything, entry);
    expect(() => check(stated, wanted)).toThrow(
      'A caller without a valid credential may not use fs:echo.',
    );
  });

  it('accepts a caller with a token until the token expires', () => {
    const issuer = 'https://issuer.example';
    const tokens = { issuer, jwksUrl: `${issuer}/keys`, resource: 'https://gateway.example/mcp' };
    const { check, state } = callerCheck(authOf({ auth: { tokens } }), everything, entry);
    const until = Date.now() + 60_000;
    const eve = { name: 'sub:eve', roles: ['dev'] };
    expect(check({ ...eve, until }, wanted)).toEqual(eve);
    // A third instance learns the same.
    expect(state(eve)).toEqual({ ...eve, until });
    const denied = 'A caller without a valid credential';
    expect(() => check({ ...eve, until: Date.now() - 1 }, wanted)).toThrow(denied);
    expect(() => check(eve, wanted)).toThrow(denied);
    expect(() => check({ name: 'key:eve', roles: [], until }, wanted)).toThrow(denied);
  });

  it('asks for nothing if no credential is required', () => {
    const open = callerCheck(authOf({}), everything, entry);
    expect(open.isRequired).toBe(false);
    expect(open.check(undefined, wanted)).toBeUndefined();
  });

  it('refuses a tool that the caller may not see', () => {
    const sight = (principal: Principal | undefined) => () => principal?.name !== 'key:ann';
    const { check } = callerCheck(auth, { sight }, entry);
    expect(() => check(ann, wanted)).toThrow('key:ann may not use fs:echo.');
  });

  it('judges the resource that a template leads to', () => {
    const listed = (name: string): Entry =>
      ({ ref: { server: 'fs', tool: name }, item: { name, json: '{}' } }) as Entry;
    const items = {
      entry: (_: string, __: string, canonical: string) => listed(canonical.slice(3)),
    };
    const sight = () => (target: Target) => target.ref.tool === 'x://1';
    const { check } = callerCheck(authOf({}), { sight }, items);
    const use = (one: Omit<Wanted, 'server'>) => () => check(undefined, { server: 'fs', ...one });
    expect(use({ kind: 'template', name: 'x://{n}', uri: 'x://1' })).not.toThrow();
    expect(use({ kind: 'template', name: 'x://{n}', uri: 'x://2' })).toThrow('may not use');
    expect(use({ kind: 'template', name: 'x://{n}' })).toThrow('may not use');
  });
});
