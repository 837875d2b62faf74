import { describe, expect, it } from 'vitest';

import { parseAdapter } from '../../adapter/parse-adapter.js';
import { adapterFromOpenApi } from '../openapi/import-openapi.js';
import type { FindingKind, ImportResult } from '../spec/import-report.js';

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly object[];
}

const query = (name: string, type = 'string') => ({ name, in: 'query', schema: { type } });

/** A document with these operations, by method and path. */
function documentOf(operations: Readonly<Record<string, Operation>>, info: object = {}): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [line, operation] of Object.entries(operations)) {
    const [method, path] = line.split(' ') as [string, string];
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: { ...operation, responses: { 200: { description: 'Fine' } } },
    };
  }
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Harbour', version: '1.0.0', ...info },
    servers: [{ url: 'https://harbour.example' }],
    paths,
  });
}

const FIRST = documentOf({
  'GET /ships': { summary: 'Lists ships', parameters: [query('flag'), query('captain')] },
  'POST /ships/{id}/run': { summary: 'Runs a ship' },
  'DELETE /ships/{id}': { summary: 'Removes a ship' },
});

function adapterOf(result: ImportResult): string {
  if (!result.ok) throw new Error(JSON.stringify(result.report.findings));
  return result.adapter;
}

const first = adapterOf(adapterFromOpenApi(FIRST));
const again = (document: string, previous: string) => adapterFromOpenApi(document, { previous });

function operationsOf(text: string) {
  const parsed = parseAdapter(text, 'a.md');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.adapter.operations;
}

/** A manual edit. Fails if the text is not found. */
function edited(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, () => to);
}

const messages = ({ report }: ImportResult, kind: FindingKind): string[] =>
  report.findings.filter((each) => each.kind === kind).map(({ message }) => message);

describe('importing again', () => {
  it('of the same document changes nothing', () => {
    expect(adapterOf(again(FIRST, first))).toBe(first);
  });

  it('keeps manual edits, and updates the rest from the document', () => {
    const byHand = edited(
      first,
      'description: Lists ships',
      'description: All ships in the harbour',
    );
    const changed = documentOf({
      'GET /ships': {
        summary: 'Lists ships',
        parameters: [query('flag', 'integer'), query('captain')],
      },
      'POST /ships/{id}/run': { summary: 'Sends a ship to sea' },
      'DELETE /ships/{id}': { summary: 'Removes a ship' },
    });
    const operations = operationsOf(adapterOf(again(changed, byHand)));
    expect(operations.get('list_ships')?.description).toBe('All ships in the harbour');
    expect(operations.get('list_ships')?.params.get('flag')?.type).toBe('integer');
    expect(operations.get('run_ship')?.description).toBe('Sends a ship to sea');
  });

  it('reports conflicts between a manual edit and the document, and keeps the edit', () => {
    const byHand = edited(first, 'description: Lists ships', 'description: All ships');
    const changed = documentOf({
      'GET /ships': { summary: 'Lists every ship', parameters: [query('flag'), query('captain')] },
    });
    const result = again(changed, byHand);
    expect(operationsOf(adapterOf(result)).get('list_ships')?.description).toBe('All ships');
    expect(messages(result, 'kept')).toEqual([expect.stringContaining('description')]);
  });

  it('recognizes an operation that was renamed and moved to another endpoint', () => {
    const moved = edited(
      edited(first, 'name: run_ship', 'name: send_to_sea'),
      '  execute:\n',
      '  update:\n',
    );
    const changed = documentOf({
      'POST /ships/{id}/run': { summary: 'Another text' },
      'GET /ships': {},
    });
    const operation = operationsOf(adapterOf(again(changed, moved))).get('send_to_sea');
    expect(operation).toMatchObject({ endpoint: 'update', description: 'Another text' });
    expect(operationsOf(adapterOf(again(changed, moved))).has('run_ship')).toBe(false);
  });

  it('omits operations, parameters and notes that were removed manually', () => {
    const without = first
      .replace(/ {2}delete:\n[\s\S]*?(?=\n {2}execute:)/, '')
      .replace(/\n {8}captain:\n.*/, '')
      .replace(/\n {6}review:.*/, '');
    const result = again(FIRST, without);
    const operations = operationsOf(adapterOf(result));
    expect([...operations.keys()]).toEqual(['list_ships', 'run_ship']);
    expect([...operations.get('list_ships')!.params.keys()]).toEqual(['flag']);
    expect(adapterOf(result)).not.toContain('review:');
    expect(messages(result, 'kept')).toEqual([expect.stringContaining('DELETE /ships/{id}')]);
  });

  it('keeps operations that a person added, and the text below the front matter', () => {
    const added = edited(
      first,
      '  read:\n',
      '  read:\n    - name: count_ships\n      maps_to: GET /ships/count\n',
    );
    const noted = edited(added, '# Harbour', '# Harbour\n\nAsk the harbour master.');
    const text = adapterOf(again(FIRST, noted));
    expect(operationsOf(text).has('count_ships')).toBe(true);
    expect(text).toContain('Ask the harbour master.');
    expect(adapterOf(again(FIRST, text))).toBe(text);
  });

  it('keeps comments and formatting of the front matter', () => {
    const noted = edited(
      edited(
        first,
        '        captain:\n          type: string',
        '        # asked the harbour master\n        captain: { type: string }',
      ),
      'description: Lists ships',
      'description: "Lists ships" # short is enough',
    );
    const changed = documentOf({
      'GET /ships': {
        summary: 'Lists ships',
        parameters: [query('flag', 'integer'), query('captain')],
      },
      'POST /ships/{id}/run': { summary: 'Runs a ship' },
      'DELETE /ships/{id}': { summary: 'Removes a ship' },
    });
    const text = adapterOf(again(changed, noted));
    expect(text).toContain(
      '        # asked the harbour master\n        captain: { type: string }\n',
    );
    expect(text).toContain('description: "Lists ships" # short is enough');
    expect(operationsOf(text).get('list_ships')?.params.get('flag')?.type).toBe('integer');
  });

  it('writes an adapter with aliases again, with the same content', () => {
    const shared = edited(
      edited(first, 'captain:\n          type: string', 'captain: *text'),
      'flag:\n          type: string',
      'flag: &text\n          type: string',
    );
    const text = adapterOf(again(FIRST, shared));
    expect(text).not.toContain('*text');
    expect([...operationsOf(text).get('list_ships')!.params.keys()]).toEqual(['flag', 'captain']);
  });

  it('reports operations that the document no longer has, and does not drop them', () => {
    const smaller = documentOf({ 'GET /ships': {} });
    const result = again(smaller, first);
    expect(operationsOf(adapterOf(result)).has('delete_ship')).toBe(true);
    expect(messages(result, 'removed')).toEqual([
      expect.stringContaining('"run_ship" (POST /ships/{id}/run)'),
      expect.stringContaining('"delete_ship" (DELETE /ships/{id})'),
    ]);
    expect(messages(again(smaller, adapterOf(result)), 'removed')).toHaveLength(2);
  });

  it('keeps a person’s choice of trust, address and credentials', () => {
    const chosen = edited(
      edited(first, 'level: generated', 'level: validated'),
      'base_url: https://harbour.example',
      'base_url: https://test.harbour.example\n  timeout_ms: 5000',
    );
    const parsed = parseAdapter(
      adapterOf(again(documentOf({ 'GET /ships': {} }, { version: '2.0.0' }), chosen)),
      'a.md',
    );
    expect(parsed).toMatchObject({
      ok: true,
      adapter: {
        trust: 'validated',
        version: '2.0.0',
        target: { base_url: 'https://test.harbour.example', timeout_ms: 5000 },
      },
    });
  });

  it('gives a new operation another name if a person has used its name', () => {
    const renamed = edited(first, 'name: run_ship', 'name: get_ship');
    const changed = documentOf({
      'GET /ships/{id}': {},
      'POST /ships/{id}/run': {},
      'GET /ships': {},
    });
    const operations = operationsOf(adapterOf(again(changed, renamed)));
    expect(operations.get('get_ship')?.mapsTo).toMatchObject({ method: 'POST' });
    expect(operations.get('get_ship_2')?.mapsTo).toMatchObject({ method: 'GET' });
  });

  it('treats an adapter without fingerprints as written manually', () => {
    const bare = first.replace(/<!--[\s\S]*-->/, '');
    const changed = documentOf({ 'GET /ships': { summary: 'New words' }, 'GET /berths': {} });
    const operations = operationsOf(adapterOf(again(changed, bare)));
    expect(operations.get('list_ships')?.description).toBe('Lists ships');
    expect(operations.has('list_berths')).toBe(true);
  });

  it('changes nothing if the existing adapter has errors', () => {
    const result = again(FIRST, edited(first, 'type: adapter', 'type: adaptor'));
    expect(result.ok).toBe(false);
    expect(messages(result, 'failed')).toEqual([expect.stringContaining('correct them')]);
  });
});
