import type { Module, View } from '@callsign/core';
import { describe, expect, it, vi } from 'vitest';

import { until } from '../../../../test/e2e/serve/until.js';
import { shows } from '../../../../test/requirements/shows.js';
import { OfferedSource, tool } from '../../../../test/testing/offered.js';
import { configured, plain, serveAll } from '../testing/served.js';

describe('a session', () => {
  it('keeps its view while many callers with other roles come and go', async () => {
    const keys = Array.from({ length: 600 }, (_, i) => `role-${i}`);
    const roles = Object.fromEntries(keys.map((key) => [key, { allow: ['*'] }]));
    const { gateway } = await serveAll({ fs: plain() }, { roles });
    const as = (role: string) => ({ name: `key:${role}`, roles: [role] });
    const first = gateway.viewFor(undefined, as(keys[0]!));
    const heard: string[] = [];
    first.subscribe(({ type }) => heard.push(type));
    for (const key of keys) gateway.viewFor(undefined, as(key));
    expect(gateway.viewFor(undefined, as(keys[0]!))).toBe(first);
    gateway.hub.refresh();
    expect(heard).toContain('changed');
  });
});

describe('a client sees names', () => {
  it('that it accepts, chosen by the name that it announces', async () => {
    const served = await serveAll({ 'fs-home': plain() });
    const unknown = await served.connect('some-client');
    const claude = await served.connect('claude-ai', '0.1.0');
    expect(await unknown.toolNames()).toContain('fs-home:echo');
    expect(await claude.toolNames()).toContain('fs-home__echo');
    expect(await claude.toolNames()).not.toContain('fs-home:echo');
    const [exposed, canonical] = [
      await claude.call('fs-home__echo', { a: 1 }),
      await claude.call('fs-home:echo', { a: 1 }),
    ];
    expect(exposed.result?.structuredContent).toEqual({ a: 1 });
    expect(canonical).toMatchObject({ result: exposed.result });
  });

  it('of the configured profile, or of the flag, under any announced name', async () => {
    const servers = { fs: plain() };
    const byFile = await serveAll(servers, { profile: 'spec' });
    const byFlag = await serveAll(servers, { profile: 'spec' }, { profile: 'canonical' });
    const back = await serveAll(servers, { profile: 'spec' }, { profile: 'auto' });
    const namesFor = async (served: typeof byFile, name: string) =>
      (await (await served.connect(name)).toolNames())[0];
    expect(await namesFor(byFile, 'some-client')).toBe('fs__echo');
    expect(await namesFor(byFlag, 'claude-ai')).toBe('fs:echo');
    expect(await namesFor(back, 'some-client')).toBe('fs:echo');
    expect(await namesFor(back, 'claude-ai')).toBe('fs__echo');
  });

  it('of the profile that a path asks for, over everything else', async () => {
    const { gateway } = await serveAll({ fs: plain() }, { profile: 'spec' });
    const first = (profile: string) => gateway.viewOf(profile)?.offer.tool[0]?.name;
    expect(first('canonical')).toBe('fs:echo');
    expect(first('cursor')).toBe('fs__echo');
    expect(first('identity')).toBe('echo');
    expect(gateway.viewOf('no-such-client')).toBeUndefined();
    expect(gateway.viewOf('__proto__')).toBeUndefined();
  });

  it('of the operator’s pattern, if the client accepts them', async () => {
    const served = await serveAll({ fs: plain() }, { pattern: '{tool}.of.{server}' });
    const [any, gemini, claude] = [
      await served.connect('some-client'),
      await served.connect('gemini-cli'),
      await served.connect('claude-ai'),
    ];
    expect(await any.toolNames()).toContain('echo.of.fs');
    expect(await gemini.toolNames()).toContain('echo.of.fs');
    expect(await claude.toolNames()).toContain('fs__echo');
    expect((await any.call('echo.of.fs')).result).toBeDefined();
    expect((await any.call('fs:echo')).result).toBeDefined();
  });

  it('within the length that its own prefix leaves, with the client key', async () => {
    const longest = async (clientKey: string) => {
      const served = await serveAll({ fs: plain('--nasty') }, { clientKey });
      const names = await (await served.connect('claude-code', '2.0.0')).toolNames();
      return Math.max(...names.map(({ length }) => length));
    };
    for (const key of ['c', 'callsign-of-our-team']) {
      const left = 64 - `mcp__${key}__`.length;
      const length = await longest(key);
      expect(length).toBeLessThanOrEqual(left);
      expect(length).toBeGreaterThan(left - 5);
    }
  });

  it('even if a path asks for a client for which the client key is too long', async () => {
    const clientKey = 'the-one-and-only-gateway-of-our-whole-company';
    const { gateway } = await serveAll({ fs: plain() }, { profile: 'canonical', clientKey });
    expect(gateway.viewOf('cursor')?.offer.tool[0]?.name).toBe('fs__echo');
  });
});

describe('a reload of the settings about names', () => {
  it(
    'reaches connected clients without a restart of servers',
    shows('AGG-48', async () => {
      const servers = { fs: plain() };
      const served = await serveAll(servers);
      const client = await served.connect('some-client');
      const pid = await client.pid('fs');
      const apply = async (settings: object) => {
        client.heard.length = 0;
        await served.gateway.apply(configured(servers, settings));
        await until(() => client.heard.includes('notifications/tools/list_changed'));
      };

      await apply({ aliases: { rf: 'fs:echo' } });
      expect((await client.call('rf', { a: 1 })).result?.structuredContent).toEqual({ a: 1 });

      await apply({ renamed: { files: 'fs' } });
      expect((await client.call('rf')).error?.message).toMatch(/^Tool name must be prefixed/);
      const { result } = await client.call('files:echo');
      expect(result).toMatchObject({ _meta: { 'callsign/deprecated': expect.any(String) } });
      expect(await client.toolNames()).not.toContain('files:echo');

      await apply({ profile: 'spec' });
      expect(await client.toolNames()).toContain('fs__echo');
      await apply({ pattern: '{server}.{tool}', titles: false });
      expect(await client.toolNames()).toContain('fs.echo');
      expect(await client.pid('fs')).toBe(pid);
    }),
  );
});

describe('a module that sees more of a principal than its roles', () => {
  const as = (name: string, ...roles: string[]) => ({ name: `key:${name}`, roles });
  const [ann, bob] = [as('ann', 'staff'), as('bob', 'staff')];
  /** Only ann sees the tool "echo". */
  const module: Module<never> = {
    name: 'mine',
    create: () => ({
      sees: (principal, { ref }) => ref.tool !== 'echo' || principal?.name === 'key:ann',
    }),
  };
  const seesEcho = (view: View | undefined) =>
    view?.offer.tool.some(({ name }) => name.endsWith('echo'));

  it('is asked for each principal', async () => {
    const { gateway } = await serveAll({ fs: plain() }, {}, { modules: [{ module }] });
    for (const principal of [ann, bob, undefined]) {
      expect(seesEcho(gateway.viewFor(undefined, principal))).toBe(principal === ann);
      expect(seesEcho(gateway.viewOf('canonical', principal))).toBe(principal === ann);
    }
    expect(gateway.viewFor(undefined, ann)).toBe(gateway.viewFor(undefined, { ...ann }));
  });

  it('leaves views shared if it says that it reads only roles, or is not there', async () => {
    const byRoles: Module<never> = {
      name: 'mine',
      create: () => ({ sees: () => true, seesOnlyRoles: true }),
    };
    const roles = { staff: { allow: ['*'] } };
    for (const modules of [[], [{ module: byRoles }]]) {
      const { gateway } = await serveAll({ fs: plain() }, { roles }, { modules });
      expect(gateway.viewFor(undefined, ann)).toBe(gateway.viewFor(undefined, bob));
    }
  });

  it('shows a session nothing that one of those with the same view may not see, after a reload adds it', async () => {
    const servers = { fs: plain() };
    const { gateway } = await serveAll(servers);
    const own = gateway.viewFor(undefined, as('ann', 'alone'));
    const shared = gateway.viewFor(undefined, ann);
    expect(gateway.viewFor(undefined, bob)).toBe(shared);
    const crowded = gateway.viewFor(undefined, as('ann', 'all'));
    for (let i = 0; i < 200; i++) gateway.viewFor(undefined, as(`${i}`, 'all'));
    expect([own, shared, crowded].map(seesEcho)).toEqual([true, true, true]);
    await gateway.apply({ ...configured(servers), modules: [{ module }] });
    expect([own, shared, crowded].map(seesEcho)).toEqual([true, false, false]);
    expect(seesEcho(gateway.viewFor(undefined, ann))).toBe(true);
    expect(seesEcho(gateway.viewFor(undefined, bob))).toBe(false);
    await gateway.apply(configured(servers));
    expect([own, shared, crowded].map(seesEcho)).toEqual([true, true, true]);
  });

  it('has a limited number of views, except for open sessions', async () => {
    const { gateway } = await serveAll({ fs: plain() }, {}, { modules: [{ module }] });
    const heard = vi.fn<() => void>();
    const opened = (i: number): View => {
      const view = gateway.viewFor(undefined, as(`${i}`, 'staff'));
      stops.push(view.subscribe(heard));
      return view;
    };
    const stops: (() => void)[] = [];
    const views = Array.from({ length: 600 }, (_, i) => opened(i));
    expect(views.every((view, i) => opened(i) === view)).toBe(true);
    for (const stop of stops) stop();
    gateway.viewFor(undefined, ann);
    // A view that was dropped follows no changes.
    for (const view of views) view.subscribe(heard);
    gateway.hub.set('more', new OfferedSource(tool('t')));
    expect(heard).toHaveBeenCalledTimes(499);
  });
});
