/** The tables of docs/annotations.md: eight kinds of tools with their risk, and what clients do with hints. */

import { readFileSync } from 'node:fs';

import { labelTool } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { policyFrom } from './policy-settings.js';

const page = readFileSync(new URL('../../../../docs/annotations.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('## Eight kinds of tools');
const rows = section
  .split('\n')
  .filter((line) => /\| (?:true|false) \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('the eight kinds of tools of docs/annotations.md', () => {
  it('are eight', () => expect(rows).toHaveLength(8));

  it.each(rows)('%s%s', (...cells) => {
    const [, , readOnly, destructive, idempotent, openWorld, risk, careful] = cells;
    const annotations = {
      readOnlyHint: readOnly === 'true',
      destructiveHint: destructive === 'true',
      idempotentHint: idempotent === 'true',
      openWorldHint: openWorld === 'true',
    };
    const label = labelTool({ name: 'moor', annotations, trust: 'full' });
    expect(label.risk).toBe(risk!.replaceAll('`', ''));
    const isAsked = policyFrom('careful')[label.risk] === 'confirm';
    expect(isAsked ? 'asks' : 'allows it').toBe(careful);
  });
});

describe('docs/annotations.md', () => {
  const row = (client: string) =>
    page.split('\n').find((line) => line.startsWith(`| ${client} |`)) ?? '';

  it(
    'says what clients do with hints',
    shows('AQL-50', 'AQL-51', 'AQL-52', 'ANN-32', () => {
      expect(row('Claude Code')).toMatch(/shown.*in parallel.*asks before/);
      expect(row('Claude Desktop')).toMatch(/shown.*may approve by itself.*asks before/);
      for (const client of ['Cursor', 'Windsurf', 'Zed', 'Continue']) {
        expect(row(client)).toContain('speaks MCP; use of hints not confirmed');
      }
      expect(row('Claude Desktop')).toContain('asks at the first call of each tool');
    }),
  );
});
