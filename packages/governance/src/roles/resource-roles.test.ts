/** Roles on resources: a rule about one spelling of a URI applies to all of them. */

import type { ModuleContext, Principal, Target } from '@callsign/core';
import { REPLIES } from '@callsign/core/testing';
import { labelTool } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { HandClock } from '../../../../test/testing/hand-clock.js';
import { rolesModule } from './roles-module.js';
import { ACCESS, ROLES, type RolesSettings } from './roles-settings.js';
import { createRoles } from './roles.js';

const ANN: Principal = { name: 'ann', roles: ['r'] };
const LABEL = labelTool({ name: 'thing' });

const settingsOf = (role: object): RolesSettings => ({
  roles: ROLES.parse({ r: role }),
  access: ACCESS.parse({}),
});

function item(uri: string, kind: Target['kind'] = 'resource', template?: Target): Target {
  const target = {
    kind,
    ref: { server: 'Docs', tool: uri },
    canonical: `Docs:${uri}`,
    displayName: 'Docs',
    item: { name: uri, json: '{}' },
    ...LABEL,
    risk: 'read' as const,
  };
  return template ? { ...target, template } : target;
}

const sees = (role: object, target: Target): boolean =>
  createRoles(settingsOf(role))!.sees(ANN, target);

describe('a role that allows a folder', () => {
  const role = { allow: ['Docs:file:///open/*'] };

  it.each([
    ['file:///open/a', true],
    ['FILE:///open//b/../a', false],
    ['file:///open/x/../a', true],
    ['file:///open/../secret/a', false],
    ['file:///open/%2e%2e/secret/a', false],
    ['file:///secret/a', false],
    ['file:///open/a%00', false],
  ])('for %s: %s', (uri, isSeen) => {
    expect(sees(role, item(uri))).toBe(isSeen);
  });

  it('written in another form allows the same', () => {
    const written = { allow: ['Docs:FILE://localhost/x/../open/*'] };
    expect(sees(written, item('file:///open/a'))).toBe(true);
    expect(sees(written, item('file:///secret/a'))).toBe(false);
  });

  it('and has a highest risk still allows it, since resources only read', () => {
    expect(sees({ ...role, maxRisk: 'read' }, item('file:///open/a'))).toBe(true);
  });

  it('V1: and has a highest risk denies methods of unknown extensions', () => {
    const unknown: Target = { ...item('file:///open/a'), risk: 'destructive' };
    expect(sees({ ...role, maxRisk: 'read' }, unknown)).toBe(false);
    expect(sees(role, unknown)).toBe(true);
  });
});

describe('a role that denies a folder', () => {
  const role = { allow: ['*'], deny: ['Docs:file:///Secret/*'] };

  it.each([
    ['file:///Secret/a', false],
    ['file:///secret/A', false],
    ['file:///x/../Secret/a', false],
    ['file:///%53ecret/a?x=1', false],
    ['file:///open/a', true],
    ['file:///open/a\n', false],
  ])('for %s: %s', (uri, isSeen) => {
    expect(sees(role, item(uri))).toBe(isSeen);
  });

  it('written in another form denies the same', () => {
    const written = { allow: ['*'], deny: ['Docs:file://localhost/x/../SECRET/*'] };
    expect(sees(written, item('file:///secret/a'))).toBe(false);
    expect(sees(written, item('file:///open/a'))).toBe(true);
  });

  it('denies without regard to the case of the server’s name', () => {
    const written = { allow: ['*'], deny: ['docs:file:///secret/*'] };
    expect(sees(written, item('file:///secret/a'))).toBe(false);
  });
});

describe('a template', () => {
  const template = item('file:///{path}', 'template');

  it('is allowed and denied by its own text', () => {
    expect(sees({ allow: ['Docs:file:///{path}'] }, template)).toBe(true);
    expect(sees({ allow: ['Docs:other'] }, template)).toBe(false);
    expect(sees({ allow: ['*'], deny: ['Docs:file:///{path}'] }, template)).toBe(false);
  });

  it('allows the resources behind it, except those that are denied', () => {
    const behind = (path: string): Target => item(`file:///${path}`, 'resource', template);
    const role = { allow: ['Docs:file:///{path}'], deny: ['Docs:file:///secret*'] };
    expect(sees(role, behind('a'))).toBe(true);
    expect(sees(role, behind('secret'))).toBe(false);
    expect(sees(role, behind('x/../secret'))).toBe(false);
    expect(sees(role, item('file:///a'))).toBe(false);
  });

  it('that is denied denies the resources behind it', () => {
    const role = { allow: ['*'], deny: ['Docs:file:///{path}'] };
    expect(sees(role, item('file:///a', 'resource', template))).toBe(false);
    expect(sees(role, item('file:///a'))).toBe(true);
  });
});

describe('a tool that shows other tools', () => {
  const search: Target = { ...item('find', 'tool'), isView: true };

  it('is seen without being allowed, unless it is denied', () => {
    expect(sees({}, search)).toBe(true);
    expect(sees({ deny: ['Docs:find'] }, search)).toBe(false);
    expect(sees({}, { ...search, isView: false })).toBe(false);
  });
});

describe('a tool whose name looks like a URI', () => {
  it('is matched exactly, since it is no URI', () => {
    const named = item('file:///x/../open/a', 'tool');
    expect(sees({ allow: ['Docs:file:///open/a'] }, named)).toBe(false);
    expect(sees({ allow: ['*'], deny: ['Docs:file:///open/a'] }, named)).toBe(true);
    expect(sees({ allow: ['*'], deny: ['Docs:file:///x/*'] }, named)).toBe(false);
  });
});

describe('roles as a module', () => {
  const partsOf = (settings: RolesSettings) => {
    const context: ModuleContext<RolesSettings> = {
      settings,
      servers: [],
      clock: new HandClock(),
      log: () => undefined,
      refresh: () => undefined,
      ...REPLIES,
    };
    return rolesModule.create(context);
  };

  it('decide what a caller sees', () => {
    const parts = partsOf(settingsOf({ allow: ['Docs:file:///open/*'] }));
    expect(rolesModule.name).toBe('roles');
    expect(parts!.sees!(ANN, item('file:///open/a'))).toBe(true);
    expect(parts!.sees!(ANN, item('file:///secret/a'))).toBe(false);
    expect(parts!.sees!(undefined, item('file:///open/a'))).toBe(false);
  });

  it('are not in the path of calls if none are configured', () => {
    expect(partsOf({ access: ACCESS.parse({}) })).toBeUndefined();
  });
});
