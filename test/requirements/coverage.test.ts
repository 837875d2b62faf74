import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { citedIn, coverage } from './coverage.js';
import { REGISTER } from './register.js';
import type { Requirement } from './requirement.js';

const testTexts = ['packages', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8')),
);
const cited = new Set(testTexts.flatMap(citedIn));
const roomExists = (room: string) => {
  const [name = '', part] = room.split('/');
  const parts = [`packages/${name}/src/${part}`, `packages/${name}/src/${part}.ts`];
  const signs = part === undefined ? [`packages/${name}/package.json`] : parts;
  return room === 'house' || signs.some((path) => existsSync(join(ROOT, path)));
};
const line = ({ id, room, says }: Requirement) => `${id} (${room}): ${says}`;

describe('the register of requirements', () => {
  it('is whole: ids and sentences are unique, and every topic is there', () => {
    expect(new Set(REGISTER.map(({ id }) => id)).size).toBe(REGISTER.length);
    expect(new Set(REGISTER.map(({ says }) => says)).size).toBe(REGISTER.length);
    expect(new Set(REGISTER.map(({ topic }) => topic)).size).toBe(6);
  });

  it('has a test for every requirement whose room exists', () => {
    expect(coverage(REGISTER, cited, roomExists).missing.map(line)).toEqual([]);
  });

  it('knows no other ids than those that tests cite', () => {
    const known = new Set<string>(REGISTER.map(({ id }) => id));
    expect([...cited].filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('coverage', () => {
  const requirement = (id: string, room: Requirement['room']): Requirement => ({
    id,
    room,
    topic: 'annotation guide',
    level: 'must',
    says: id,
  });
  const register = [requirement('A-1', 'naming'), requirement('A-2', 'gateway')];

  it('fails an uncited requirement of a room that exists', () => {
    const { missing, pending } = coverage(register, new Set(), (room) => room === 'naming');
    expect([missing.map(({ id }) => id), pending.map(({ id }) => id)]).toEqual([['A-1'], ['A-2']]);
  });

  it('fails a pending one once its room exists', () => {
    expect(coverage(register, new Set(['A-1']), () => true).missing.map(({ id }) => id)).toEqual([
      'A-2',
    ]);
  });

  it('reads citations, over lines and in any number', () => {
    // Written apart, so that this test does not cite anything itself.
    const call = 'shows';
    expect(citedIn(`it('x', ${call}('A-1',\n 'A-2', () => {}))`)).toEqual(['A-1', 'A-2']);
    expect(citedIn(`${call}(() => {})`)).toEqual([]);
  });
});
