import { Hub, type Target } from '@callsign/core';
import { expect, it } from 'vitest';

import { tool } from '../policy/testing/governed.js';
import { ScriptedServer } from '../policy/testing/scripted-server.js';
import { roleRefusal } from './role-refusal.js';
import { SETS } from '../sets/sets-settings.js';
import { ACCESS, ROLES } from './roles-settings.js';

function target(): Target {
  const hub = new Hub({});
  const annotations = { readOnlyHint: true };
  hub.set('docs', new ScriptedServer([tool('get_page', { annotations })]));
  return hub.entry('tool', 'docs:get_page')!;
}

const settings = {
  roles: ROLES.parse({
    all: { allow: ['*'] },
    reader: { allow: ['*'], maxRisk: 'read' },
    other: { allow: ['hr:*'], maxRisk: 'read' },
    support: { allow: ['*'], set: 'people' },
  }),
  sets: SETS.parse({ people: { servers: ['hr'] } }),
  access: ACCESS.parse({ anonymous: ['reader'] }),
};
const NO = 'callsign.roles does not allow it for';
const RISK = 'maxRisk counts only your annotations, and by those it is destructive';

it.each([
  [['all'], undefined],
  [['other'], `${NO} the role other`],
  [['reader'], `${NO} the role reader; ${RISK}`],
  [['support'], `${NO} the role support; it is not in the set of a role`],
  [['other', 'reader'], `${NO} the roles other, reader; ${RISK}`],
  [undefined, `${NO} callers without a key (access.anonymous); ${RISK}`],
])('a tool that reads by its own claim is refused to %j: %s', (roles, refusal) => {
  const principal = roles && { name: 'ann', roles };
  expect(roleRefusal(settings, principal, target())).toBe(refusal);
});
