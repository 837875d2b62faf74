/** CONTRIBUTING.md names every command of the repository, and files that exist. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';

const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const section = (title: string) =>
  page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

describe('CONTRIBUTING.md', () => {
  it('lists every command once, and no other', () => {
    const listed = [...page.matchAll(/^\| `npm (?:run )?([^`]+)` \| \S.* \|$/gm)];
    expect(listed.map(([, name]) => name).toSorted()).toEqual(Object.keys(scripts).toSorted());
  });

  it('tells people to run only commands that exist', () => {
    const named = [...page.matchAll(/`npm run ([a-z:-]+)/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names only files that exist', () => {
    const code = [...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, text]) => text!.split(' '));
    const files = code.filter((word) => /^(packages|test|docs|scripts)\/[^<]+$/.test(word));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it.each(['A client profile', 'A lint rule', 'A command', 'A setting', 'A package'])(
    'has steps for "%s"',
    (title) => {
      expect(section(title)).toMatch(/^1\. [^]+^2\. /m);
    },
  );

  it('adds a module in three steps', () => {
    const steps = [...section('A module').matchAll(/^(\d)\. /gm)].map(([, number]) => number);
    expect(steps).toEqual(['1', '2', '3']);
  });
});
