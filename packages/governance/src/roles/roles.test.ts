import { Call, Hub, type Principal, type Target, View } from '@callsign/core';
import { PRESETS, type PresetName, type StatedHints } from '@callsign/effects';
import { profileById } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { Governed, tool } from '../policy/testing/governed.js';
import { ScriptedServer } from '../policy/testing/scripted-server.js';
import { SETS } from '../sets/sets-settings.js';
import { ACCESS, ROLES } from './roles-settings.js';
import { operatorsRisk } from '../reach/reach.js';
import { createRoles, type Roles } from './roles.js';

const rolesOf = (roles: object, anonymous: readonly string[] = []): Roles =>
  createRoles({ roles: ROLES.parse(roles), access: ACCESS.parse({ anonymous }) })!;

const holding = (...roles: string[]): Principal => ({ name: 'ann', roles });

interface Voices {
  /** The server's claims. */
  readonly annotations?: StatedHints;
  /** The operator's settings for the tool and for its server. */
  readonly override?: StatedHints;
  readonly assumed?: StatedHints;
}

/** A tool as a hub labels it. Its server is believed, which must make no difference. */
function target(canonical: string, { annotations = {}, ...said }: Voices = {}): Target {
  const [server = '', name = ''] = canonical.split(':');
  const hub = new Hub({ label: () => ({ ...said, trust: 'full' }) });
  hub.set(server, new ScriptedServer([tool(name, { annotations })]));
  return hub.entry('tool', canonical)!;
}

describe('a role', () => {
  const roles = rolesOf({
    reader: { allow: ['*:get_*', 'docs:*'], deny: ['hr:*'] },
    operator: { allow: ['*'] },
    idle: {},
  });

  it.each([
    [['reader'], 'github:get_issue', true],
    [['reader'], 'docs:write', true],
    [['reader'], 'github:create_issue', false],
    [['reader'], 'hr:get_salary', false],
    [['operator'], 'hr:get_salary', true],
    // A caller with both is denied what either denies.
    [['operator', 'reader'], 'hr:get_salary', false],
    [['operator', 'reader'], 'github:create_issue', true],
    [['idle'], 'docs:read', false],
    [[], 'docs:read', false],
    [['nobody', '__proto__', 'constructor'], 'docs:read', false],
    [['Reader'], 'docs:read', false],
  ])('as %o sees %s: %s', (held, canonical, sees) => {
    expect(roles.sees(holding(...held), target(canonical))).toBe(sees);
  });

  it('with a set allows only what is in it, and what it denies stays denied', () => {
    const sets = SETS.parse({ looking: { labels: ['read'], exclude: ['hr:*'] } });
    const settings = ROLES.parse({
      support: { allow: ['*'], deny: ['docs:get_secret'], set: 'looking' },
      lost: { allow: ['*'], set: 'removed' },
      writer: { allow: ['docs:*'] },
    });
    const narrow = createRoles({ roles: settings, access: ACCESS.parse({}), sets })!;
    const read = { override: PRESETS.READ_ONLY_DEFAULT };
    const sees = (canonical: string, ...held: string[]): boolean =>
      narrow.sees(holding(...held), target(canonical, read));
    expect(sees('docs:get_page', 'support')).toBe(true);
    expect(sees('hr:get_salary', 'support')).toBe(false);
    expect(narrow.sees(holding('support'), target('docs:drop_page'))).toBe(false);
    expect(narrow.sees(holding('support', 'writer'), target('docs:drop_page'))).toBe(true);
    expect(sees('docs:get_secret', 'support', 'writer')).toBe(false);
    expect(sees('docs:get_page', 'lost')).toBe(false);
    const without = createRoles({ roles: settings, access: ACCESS.parse({}) })!;
    expect(without.sees(holding('support'), target('docs:get_page', read))).toBe(false);
  });

  it('matches exactly by its globs', () => {
    const narrow = rolesOf({ r: { allow: ['github:get_issue'] } });
    for (const other of [
      'github:GET_ISSUE',
      'GitHub:get_issue',
      'github:get_issues',
      'xgithub:get_issue',
    ]) {
      expect(narrow.sees(holding('r'), target(other))).toBe(false);
    }
  });

  it('applies to prompts and resources too, which only read', () => {
    const limited = rolesOf({ r: { allow: ['docs:*'], maxRisk: 'read' } });
    const prompt: Target = { ...target('docs:greet'), kind: 'prompt', risk: 'read' };
    const other: Target = { ...target('hr:greet'), kind: 'prompt', risk: 'read' };
    expect([limited.sees(holding('r'), prompt), limited.sees(holding('r'), other)]).toEqual([
      true,
      false,
    ]);
  });

  it('can be given to callers without a credential', () => {
    const open = rolesOf({ guest: { allow: ['docs:*'] } }, ['guest']);
    expect(open.sees(undefined, target('docs:read'))).toBe(true);
    expect(open.sees(undefined, target('hr:read'))).toBe(false);
    expect(roles.sees(undefined, target('docs:read'))).toBe(false);
    // A credential without roles is not the same as none.
    expect(open.sees(holding(), target('docs:read'))).toBe(false);
  });

  it('that cannot be checked allows no one', () => {
    const broken = {
      name: 'ann',
      get roles(): string[] {
        throw new Error('the directory is down');
      },
    };
    expect(roles.sees(broken, target('docs:read'))).toBe(false);
    const odd = { name: 'ann', roles: 'operator' } as unknown as Principal;
    expect(roles.sees(odd, target('docs:read'))).toBe(false);
  });

  it('is matched with an item once, not for every call', () => {
    let reads = 0;
    const watched = new Proxy(target('docs:read'), {
      get(item, key) {
        if (key === 'canonical') reads++;
        return Reflect.get(item, key, item) as unknown;
      },
    });
    expect(roles.sees(holding('reader'), watched)).toBe(true);
    const before = reads;
    expect(roles.sees(holding('reader'), watched)).toBe(true);
    expect(roles.sees(holding('idle'), watched)).toBe(false);
    expect(reads).toBe(before);
  });

  it('is not needed if none are configured', () => {
    expect(createRoles({ access: ACCESS.parse({}) })).toBeUndefined();
  });

  it('that is assigned to no one allows no one', () => {
    expect(rolesOf({}).sees(holding('admin'), target('docs:read'))).toBe(false);
  });
});

describe('the highest risk of a role', () => {
  const roles = rolesOf({
    read: { allow: ['*'], maxRisk: 'read' },
    write: { allow: ['*'], maxRisk: 'write' },
    destructive: { allow: ['*'], maxRisk: 'destructive' },
    any: { allow: ['*'] },
  });
  const who = (voices: Voices): string[] =>
    ['read', 'write', 'destructive', 'any'].filter((role) =>
      roles.sees(holding(role), target('s:t', voices)),
    );

  it('uses the operator’s label for the tool', () => {
    expect(who({ override: PRESETS.READ_ONLY_DEFAULT })).toEqual([
      'read',
      'write',
      'destructive',
      'any',
    ]);
    expect(who({ override: PRESETS.WRITE_ADDITIVE })).toEqual(['write', 'destructive', 'any']);
    expect(who({ override: PRESETS.WRITE_DESTRUCTIVE })).toEqual(['destructive', 'any']);
    expect(who({})).toEqual(['destructive', 'any']);
    expect(who({ override: { readOnlyHint: true } })).toContain('read');
  });

  it(
    'never uses a server’s claim',
    shows('ANN-33', () => {
      const claims: (StatedHints | undefined)[] = [undefined, ...Object.values(PRESETS)];
      const overrides: (PresetName | undefined)[] = [
        undefined,
        'READ_ONLY_DEFAULT',
        'WRITE_ADDITIVE',
      ];
      for (const preset of overrides) {
        const override = preset ? PRESETS[preset] : {};
        for (const assumed of [{}, PRESETS.READ_ONLY_DEFAULT]) {
          const silent = who({ override, assumed });
          for (const annotations of claims) {
            expect(who({ override, assumed, ...(annotations ? { annotations } : {}) })).toEqual(
              silent,
            );
          }
        }
      }
      const believed = target('s:t', { annotations: PRESETS.READ_ONLY_DEFAULT });
      expect([believed.risk, operatorsRisk(believed)]).toEqual(['read', 'destructive']);
    }),
  );
});

describe('a call under roles', () => {
  const roles = rolesOf({ reader: { allow: ['s:read'] } });
  const governed = (): Governed =>
    new Governed({
      modules: [{ name: 'roles', parts: { sees: (...asked) => roles.sees(...asked) } }],
    });

  it(
    'refuses a reserved tool to every caller without the role',
    shows('ANN-34', async () => {
      const gateway = governed();
      const client = gateway.connect('session', { principal: holding('reader') });
      expect((await client.call('s:read')).result).toBeDefined();
      expect((await client.call('s:write')).error?.message).toBe('ann may not use s:write.');
      expect(gateway.server.calls.map(({ name }) => name)).toEqual(['s:read']);
    }),
  );

  it('refuses callers without a credential', async () => {
    const client = governed().connect('stateless');
    const { error } = await client.call('s:read');
    expect(error?.message).toBe('A caller without a credential may not use s:read.');
  });

  it.each(['s:write', 'alias', 'old:write', 'S:write', 's:WRITE', 's__write', 'write', 's:write '])(
    'cannot be bypassed with the name %s',
    async (name) => {
      const { hub, server } = governed();
      const view = new View(hub, {
        profile: profileById('canonical'),
        aliases: { alias: 's:write' },
        renamed: { old: 's' },
      });
      const route = view.route('tool', name);
      const caller = {
        id: 'c',
        era: 'session' as const,
        client: { name: 'c', version: '1' },
        principal: holding('reader'),
        capabilities: '{}',
        can: () => false,
      };
      const nowhere = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
      const call = new Call({ method: 'tools/call', params: '{}', name, caller, ...nowhere });
      if (route) await expect(route.send(call)).rejects.toMatchObject({ code: 'access-denied' });
      expect(server.calls).toEqual([]);
      expect(['s:write', 'alias', 'old:write'].includes(name)).toBe(route !== undefined);
    },
  );
});
