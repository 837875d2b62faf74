import { readFileSync } from 'node:fs';

import { ENDPOINTS } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../test/requirements/shows.js';
import { DANGER_LEVELS } from './adapter/danger.js';
import { DEFAULT_PATTERN } from './adapter/default-pattern.js';
import { TRUST_LEVELS, verdictOn } from './adapter/trust.js';
import { legacyToolName } from './endpoints/tool-names.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const section = (heading: string) =>
  README.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';

describe('the documentation', () => {
  it(
    'shows the new name for each old one',
    shows('AQL-20', () => {
      for (const endpoint of ENDPOINTS) {
        const row = `| \`${legacyToolName(endpoint)}\` | \`{adapter}_mcpaql_${endpoint}\` |`;
        expect(section('Names')).toContain(row);
      }
    }),
  );

  it(
    'describes tool_names.pattern and its default, for the schema and for the generator',
    shows('AQL-21', () => {
      for (const heading of ['Adapter schema', 'Generator']) {
        expect(section(heading)).toContain('tool_names.pattern');
        expect(section(heading)).toContain(DEFAULT_PATTERN);
      }
    }),
  );

  it('has the current table of danger and trust', () => {
    const words = { allow: 'yes', confirm: 'asks', deny: 'no' };
    for (const trust of TRUST_LEVELS) {
      const cells = DANGER_LEVELS.map((danger) => words[verdictOn(danger, trust)]);
      expect(README).toContain(`| \`${trust}\` | ${cells.join(' | ')} |`);
    }
  });
});
