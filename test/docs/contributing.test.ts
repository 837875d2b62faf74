/** CONTRIBUTING.md names every command of the repository, and files that exist. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';

const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const section = (title: string) =>
  page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/node_modules|dist/.test(path))
    .map((path) => join(ROOT, folder, path));
}

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

  it('names only identifiers that the code has', () => {
    const code = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!);
    // `fakeSource`, `NAME_RULES`, `AuditStore`; not words such as `portable`, and not CALLSIGN_… variables.
    const names = code.filter((text) =>
      /^(?!CALLSIGN_)(?=.*[a-zA-Z]_?[A-Z])[A-Za-z_]{5,}$/.test(text),
    );
    expect(names.length).toBeGreaterThan(12);
    const files = sourcesIn('packages').concat(sourcesIn('test'));
    const texts = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    const defined = (name: string) =>
      new RegExp(`(?:class|const|function|interface|type) ${name}\\b`);
    expect(names.filter((name) => !defined(name).test(texts))).toEqual([]);
  });

  it.each(['A client profile', 'A lint rule', 'A command', 'A setting', 'A store', 'A package'])(
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
