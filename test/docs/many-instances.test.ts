/** What docs/many-instances.md says in numbers is what the code does. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { fakeClock } from '@callsign/core/testing';
import { Approvals } from '@callsign/governance';
import { STORAGE_SETTINGS } from '@callsign/instances';
import { expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';

const page = readFileSync(join(ROOT, 'docs/many-instances.md'), 'utf8').replaceAll(/\s+/g, ' ');
/** The defaults of PostgreSQL. */
const [MAX_CONNECTIONS, RESERVED] = [100, 3];

it('says how many connections instances open, and for how many of them PostgreSQL has enough (L14)', () => {
  const { connections } = STORAGE_SETTINGS.parse({ postgres: 'postgres://db/x' });
  const each = connections + 1;
  expect(page).toContain(`and one for news: ${each} by default`);
  expect(Math.floor((MAX_CONNECTIONS - RESERVED) / each)).toBe(10);
  expect(page).toContain('so its defaults are enough for ten instances');
});

it('says how many calls may wait on each instance (L14)', () => {
  const approvals = new Approvals({ clock: fakeClock() });
  const ask = () =>
    approvals.request({
      summary: { tool: 's:t', arguments: '{}' } as never,
      caller: { client: { name: 'c', version: '1' } } as never,
      timeoutMs: 1_000,
      furthest: 'once',
      wholeArguments: () => ({ arguments: '{}' }) as never,
    } as never);
  let count = 0;
  while (ask().id !== undefined) count++;
  expect(page).toContain(`At most ${count} calls wait for an operator on each instance.`);
});

it('says that no instance starts without the database (L14)', () => {
  expect(page).toContain('| a start | no instance starts: `The shared storage cannot be used: …`');
});
