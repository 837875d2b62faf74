/** Checks how the sources register tools. */

import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { clientOf, stageOf, startSandbox } from '../testing/stage.js';

const TOOLS = new URL('../tools/', import.meta.url);

/** The text of each call of `registerToolSafe`, by file. */
function callSites(file: string): string[] {
  const text = readFileSync(new URL(file, TOOLS), 'utf8');
  return text.split(/\bregisterToolSafe\(/).slice(1);
}

const files = (folder: string): string[] =>
  readdirSync(new URL(folder, TOOLS))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}${name}`);

const SITES = [...files('./'), ...files('./beyond/')].flatMap((file) =>
  callSites(file).map((text): [string, string] => [
    /'(\w+)'/.exec(text)?.[1] ?? '(none)',
    // Up to the handler.
    text.slice(0, text.indexOf('=>')),
  ]),
);

describe('the registrations', () => {
  it('are all found by this test', async () => {
    const client = clientOf(await startSandbox());
    const { names } = await stageOf(client, { safetyMode: 'write-destructive' });
    const found = SITES.map(([name]) => `lightdash_tools__${name}`);
    expect(found.toSorted()).toEqual((await names()).toSorted());
  });

  it.each(SITES)(
    '%s passes a title',
    shows('LDD-26', (_name: string, text: string) => {
      expect(text).toMatch(/^\s*server,\s*'\w+',\s*\{\s*title: '[A-Z][A-Za-z ]+',/);
    }),
  );

  it.each(SITES)(
    '%s names a preset',
    shows('LDP-14', (_name: string, text: string) => {
      expect(text).toMatch(/annotations: (READ_ONLY|WRITE)_[A-Z]+,/);
    }),
  );

  it(
    'contain short names only',
    shows('LDD-03', () => {
      for (const [name, text] of SITES) {
        expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
        expect(text).not.toMatch(/lightdash_tools|__/);
      }
    }),
  );

  it(
    'of the ten are in six domain modules',
    shows('LDD-27', () => {
      const domains = files('./').filter((file) => callSites(file).length > 0);
      expect(domains.map((file) => file.slice(2, -3)).toSorted()).toEqual([
        'charts',
        'dashboards',
        'groups',
        'projects',
        'spaces',
        'users',
      ]);
      expect(domains.flatMap(callSites)).toHaveLength(10);
    }),
  );

  it(
    'are mentioned in the changelog, with the prefix',
    shows('LDD-28', () => {
      const changelog = readFileSync(new URL('../../../../CHANGELOG.md', import.meta.url), 'utf8');
      expect(changelog).toContain('`lightdash_tools__`');
    }),
  );
});
