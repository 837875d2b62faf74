/** docs/mcpaql.md is true about the tools of an adapter: their names, their hints and the migration. */

import { readFileSync } from 'node:fs';

import { ENDPOINTS, type Endpoint } from '@callsign/effects';
import { adapterTools, toolNames } from '@callsign/mcpaql';
import { describe, expect, it } from 'vitest';

import { adapterWith } from '../adapters/adapters.js';

const page = readFileSync(new URL('../../docs/mcpaql.md', import.meta.url), 'utf8');

function toolsOf(changes: Readonly<Record<string, unknown>>) {
  const adapter = adapterWith(changes);
  return adapterTools(adapter, toolNames(adapter));
}

describe('the page on adapters', () => {
  it('names the tools as an adapter does: by default, bare, and with the old names (S11)', () => {
    const named = (pattern: string, endpoint: Endpoint): string => {
      expect(page).toContain(`\`${pattern}\``);
      return pattern.replace('{adapter}', 'apple_mail').replace('{endpoint}', endpoint);
    };
    const names = (changes: object) => toolsOf({ ...changes }).map(({ name }) => name);
    expect(names({})).toEqual(
      ENDPOINTS.map((endpoint) => named('{adapter}_mcpaql_{endpoint}', endpoint)),
    );
    const bare = 'mcpaql_{endpoint}';
    expect(names({ tool_names: { pattern: bare } })).toEqual(
      ENDPOINTS.map((endpoint) => named(bare, endpoint)),
    );
    expect(page).toContain('`tool_names.legacy: true`');
    expect(page).toContain('`mcp_aql_read`');
    expect(names({ tool_names: { legacy: true } })).toContain('mcp_aql_read');
  });

  it('has the hints of every endpoint (S11)', () => {
    const rows = new Map(
      page
        .split('| endpoint | readOnly | destructive | idempotent | openWorld |')[1]!
        .split('\n\n')[0]!
        .split('\n')
        .slice(2)
        .map((row) => row.split('|').map((cell) => cell.trim()))
        .map(([, endpoint, ...cells]) => [endpoint!, cells.map((cell) => cell.split(/[; ]/)[0])]),
    );
    expect([...rows.keys()].toSorted()).toEqual([...ENDPOINTS].toSorted());
    // An update of this adapter is no more than its endpoint says: one operation that may not be repeated.
    const operations = {
      create: [{ name: 'create_draft', maps_to: 'POST /drafts' }],
      read: [{ name: 'list_letters', maps_to: 'GET /letters' }],
      update: [{ name: 'move_letter', maps_to: 'PATCH /letters' }],
      delete: [{ name: 'delete_letter', maps_to: 'DELETE /letters' }],
      execute: [{ name: 'send_draft', maps_to: 'POST /outbox' }],
    };
    for (const { endpoint, hints } of toolsOf({ operations })) {
      const { readOnlyHint, destructiveHint, idempotentHint } = hints;
      const shown = [readOnlyHint, destructiveHint, idempotentHint].map(String);
      expect([endpoint, rows.get(endpoint)!.slice(0, 3)]).toEqual([endpoint, shown]);
      expect(hints.openWorldHint).toBe(true);
    }
  });

  it('says that a deletion needs a second call, and which adapters become packages (S12, S13)', () => {
    for (const word of ['`CONFIRMATION_REQUIRED`', '`confirmation_token`', '`_confirmation`'])
      expect(page).toContain(word);
    expect(page).toContain('Only adapters over HTTP can become packages');
  });
});
