/** The names on each client's page are the names that the client sees. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  createToolRenderer,
  DEFAULT_CLIENT_KEY,
  maxNameLength,
  parseCanonicalName,
  profileById,
  profileForClient,
  type ClientProfile,
  type ToolRef,
} from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { startGateway } from '../e2e/gateway-process.js';
import { fencesOf, pagesBelow } from './testing/markdown.js';

const pages = pagesBelow('docs/clients').filter(({ text }) => text.includes('| rule | value |'));
const BAD_NAMES = { shown: 'is shown', replaced: 'is changed', refused: 'is refused' };

/** The cells of every row whose first cell matches, without backquotes. */
function rows(text: string, first: RegExp): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter(([head = '']) => first.test(head))
    .map((cells) => cells.map((cell) => cell.trim()));
}

const rule = (text: string, name: string) => rows(text, new RegExp(`^${name}$`))[0]?.[1];
const words = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

function refOf(canonical: string): ToolRef {
  const parsed = parseCanonicalName(canonical);
  if (!parsed.ok) throw new Error(`${canonical} is no identity`);
  return parsed.ref;
}

function charactersOf({ characters, firstCharacters }: ClientProfile): string {
  const marks = [...(characters ?? '')].filter((c) => /[^A-Za-z0-9]/.test(c));
  const all = `letters, digits, ${marks.map((mark) => `\`${mark}\``).join(' ')}`;
  const isFewer = firstCharacters !== undefined && firstCharacters !== characters;
  if (!isFewer) return all;
  return `${all}, first a letter${firstCharacters.includes('_') ? ' or `_`' : ''}`;
}

describe('docs/clients', () => {
  it('has a page for every promised client', () => {
    expect(pages.map(({ path }) => path.replace(/.*\/|\.md/g, ''))).toEqual([
      'claude-code',
      'claude-desktop',
      'codex',
      'cursor',
      'gemini-cli',
      'vscode',
      'windsurf',
      'zed',
    ]);
  });

  it('says on each page what was tried with the client itself, and in which version', () => {
    const tried = pages.flatMap(
      ({ text }) =>
        /^\*\*Tried:\*\* `npm run clients` starts (.+) from npm /m.exec(text)?.[1] ?? [],
    );
    const source = readFileSync(join(ROOT, 'scripts/clients/real-clients.mjs'), 'utf8');
    const packages = source.matchAll(/name: '(.+)',\n(?: +\/\/.*\n)? +packageName: '.+@(.+)'/g);
    const run = Array.from(packages, ([, name, version]) => `${name} ${version}`);
    expect(run.length).toBeGreaterThan(2);
    expect(tried).toEqual(run);
    const silent = pages.filter(({ text }) => !/\*\*Not tried:\*\* ./.test(text));
    expect(silent).toEqual([]);
  });

  describe.each(pages.map((page) => [page.path, page.text] as const))('%s', (_, text) => {
    const profile = profileById(words(rule(text, 'profile'))[0] ?? '');
    const prefix = (profile.clientPrefix ?? '').replace('{key}', DEFAULT_CLIENT_KEY);

    it('shows the names that the profile makes, as the client will show them', () => {
      const render = createToolRenderer({ profile });
      const examples = rows(text, /^`[^`:]+:[^`]+`$/);
      expect(examples).toHaveLength(3);
      for (const cells of examples) {
        const [identity = '', ...shown] = cells.flatMap(words);
        const { name } = render(refOf(identity));
        expect(shown).toEqual(shown.length === 1 ? [name] : [name, prefix + name]);
      }
    });

    it('names how the client announces itself', () => {
      const announced = words(rule(text, 'announces itself as'));
      expect(announced.length).toBeGreaterThan(0);
      for (const name of announced) expect(profileForClient({ name }).id).toBe(profile.id);
    });

    it('has the limits of the profile', () => {
      const room = maxNameLength(profile);
      expect(rule(text, 'longest name')).toBe(String(profile.maxLength));
      expect(rule(text, 'left for our names')).toBe(String(room));
      expect(words(rule(text, 'in front of our names'))).toEqual(prefix === '' ? [] : [prefix]);
      expect(rule(text, 'any other name')).toBe(BAD_NAMES[profile.badNames]);
      expect(rule(text, 'characters')).toBe(charactersOf(profile));
    });
  });
});

describe('docs/clients/your-own-agent.md', () => {
  const page = pagesBelow('docs/clients').find(({ path }) => path.endsWith('own-agent.md'))!;

  it('names a tool under each profile as that profile does', () => {
    const examples = rows(page.text, /./).filter(([, , third = '']) => third.startsWith('`'));
    const [[, , heading = ''] = [], ...profiles] = examples;
    const ref = refOf(words(heading)[0]!);
    expect(profiles).toHaveLength(6);
    for (const [, id = '', name = ''] of profiles) {
      const render = createToolRenderer({ profile: profileById(words(id)[0]!) });
      expect(words(name)).toEqual([render(ref).name]);
    }
  });

  it('has code that runs', async () => {
    const config = join(ROOT, 'examples', 'same-server-twice', 'callsign.json');
    const gateway = await startGateway({ servers: {}, config, listener: 'http' });
    const code = fencesOf(page).find(({ language }) => language === 'js');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', code!.text],
      {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, CALLSIGN_URL: `${gateway.url}/profile/openai` },
      },
    );
    expect(stderr).toBe('');
    expect(stdout).toContain('home__read_text_file reads\n');
    expect(stdout).toContain('work__write_file may change something\n');
  });
});
