/**
 * The page about conformance was written by the command for the pinned suite, and every scenario
 * passed.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

it('docs/conformance.md reports a full pass of the pinned suite', () => {
  const page = read('docs/conformance.md');
  const { dependencies } = JSON.parse(read('conformance/package.json')) as {
    dependencies: Record<string, string>;
  };
  expect(page).toContain(
    `\`@modelcontextprotocol/conformance\` ${dependencies['@modelcontextprotocol/conformance']}`,
  );
  expect(page).toContain('- 2025-11-25: 30 of 30 scored scenarios pass.');
  expect(page).toContain('- 2026-07-28: 37 of 37 scored scenarios pass.');
  expect(page).toContain('- 2025-11-25: 29 of 29 scored scenarios pass.');
  expect(page).toContain('- 2026-07-28: 36 of 36 scored scenarios pass.');
  expect(page.match(/^\| `tasks-[^|]+\| – \| pass \(/gm)).toHaveLength(9);
  // With other names, only the scenarios that check names differ.
  const [, other = ''] = page.split('Every scenario ends as above, except:');
  const [names = '', signIn = ''] = other.split('## Signing in to servers');
  expect(names.match(/^\| `[^`]+`/gm)).toEqual(['| `tools-list`', '| `json-schema-2020-12`']);
  expect(signIn).toContain('- 2025-03-26: 2 of 2 scored scenarios pass.');
  expect(signIn).toContain('- 2025-11-25: 14 of 14 scored scenarios pass.');
  expect(signIn).toContain('- 2026-07-28: 25 of 25 scored scenarios pass.');
  expect(page).toContain('| `dns-rebinding-protection` | pass (2) | pass (2) |');
  expect(page).not.toContain('**fail**');
});

it('the suite is locked by checksum, without the address of any host', () => {
  expect(read('conformance/package-lock.json').match(/"[^"]*:\/\/[^"]*"/g) ?? []).toEqual([]);
});
