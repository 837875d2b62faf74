/** docs/protocol.md has a row for every method of the protocol, with a test that exists. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { protocolMethods } from '../e2e/governed/protocol-methods.js';

const page = readFileSync(join(ROOT, 'docs/protocol.md'), 'utf8');
const section = page.split(/^## /m).find((text) => text.startsWith('Every method')) ?? '';
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.slice(2, -2).split(' | '));

describe('docs/protocol.md', () => {
  it('has a row for every method of both eras', () => {
    const named = new Set(rows.map(([method = '']) => method.replaceAll('`', '')));
    expect(protocolMethods().filter((method) => !named.has(method))).toEqual([]);
    for (const method of ['tasks/update', 'notifications/tasks', 'skills/list', 'skills/get']) {
      expect(named).toContain(method);
    }
  });

  it('names a test for each row', () => {
    expect(rows.length).toBeGreaterThan(30);
    for (const row of rows) {
      const path = /\((\.\.\/[^)]+)\)/.exec(row.at(-1) ?? '')?.[1] ?? 'none';
      expect(existsSync(join(ROOT, 'docs', path)), row[0]).toBe(true);
    }
  });
});
