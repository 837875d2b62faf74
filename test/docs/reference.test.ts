/** The reference pages agree with the code. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROFILES } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { fencesOf, pagesBelow, type Page } from './testing/markdown.js';

const read = (name: string) => readFileSync(join(ROOT, 'docs', 'reference', name), 'utf8');

/** The command lines of `callsign` on a page. */
function commandsIn(page: Page): string[] {
  const inline = [...page.text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
  const typed = fencesOf(page).flatMap(({ text }) => text.split('\n'));
  const shell = [...inline, ...typed].flatMap(
    (line) => /(?:^|[ /])(?:mcp-)?callsign ([a-z][a-z-]*(?= |$)[^|>]*)/.exec(line)?.[1] ?? [],
  );
  const lists = [...page.text.matchAll(/\[\s*["']-y["'],\s*["']mcp-callsign["'],([^\]]+)\]/g)];
  return [...shell, ...lists.map(([, words]) => words!.replaceAll(/[",'\s]+/g, ' ').trim())];
}

describe('docs/reference', () => {
  it('is what scripts/write-reference.mjs would write', () => {
    const script = join(ROOT, 'scripts', 'write-reference.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('has every client profile among the settings', () => {
    const row = read('configuration.md')
      .split('\n')
      .find((line) => line.startsWith('| `profile` |'));
    for (const id of PROFILES.keys()) expect(row).toContain(`\`${id}\``);
  });

  it('has the help of every command that the overview names', () => {
    const page = read('command-line.md');
    const [, overview = ''] = page.split('```');
    const names = [...overview.matchAll(/^ {2}([a-z][a-z -]*?) {2,}/gm)].map(([, name]) => name!);
    const headings = [...page.matchAll(/^## callsign (.+)$/gm)].map(([, name]) => name!);
    expect(names).toContain('serve');
    expect(headings).toEqual(names);
  });

  it.each(pagesBelow().map((page) => [page.path, page] as const))(
    'knows every command and flag in %s',
    (_, page) => {
      const [overview = '', ...help] = read('command-line.md').split(/^## callsign /m);
      const [, shared = ''] = overview.split('Options of every command:');
      for (const line of commandsIn(page)) {
        const [own = ''] = line.split(' -- ');
        const [first = '', second = ''] = own.split(' ');
        // Two words, one word, or the first word of several commands.
        const about =
          help.find((text) => text.startsWith(`${first} ${second}\n`)) ??
          help.find((text) => text.startsWith(`${first}\n`)) ??
          (second === '' ? help.find((text) => text.startsWith(`${first} `)) : undefined);
        expect(about, `callsign ${line}`).toBeDefined();
        // A command that lacks one of the shared options has a list of all its own.
        const known = about!.includes('-h, --help') ? about! : about! + shared;
        for (const [flag] of own.matchAll(/--[a-z][a-z-]*/g)) expect(known).toContain(flag);
      }
    },
  );

  it('has only pages that a script writes', () => {
    const pages = readdirSync(join(ROOT, 'docs', 'reference')).toSorted();
    expect(pages).toEqual(['README.md', 'command-line.md', 'configuration.md']);
  });
});
