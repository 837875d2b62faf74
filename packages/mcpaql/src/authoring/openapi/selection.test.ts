import { describe, expect, it } from 'vitest';

import { adapterFromOpenApi, apiTags } from './import-openapi.js';
import type { Selection } from './selection.js';

const operation = (operationId: string, ...tags: string[]) => ({
  operationId,
  tags,
  responses: { 200: { description: 'Fine' } },
});

const DOCUMENT = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Fleet', version: '1.0.0' },
  servers: [{ url: 'https://fleet.example' }],
  paths: {
    '/ships': { get: operation('listShips', 'ships'), post: operation('createShip', 'ships') },
    '/ships/{id}': { get: operation('getShip', 'ships') },
    '/shipments': { get: operation('listShipments', 'cargo') },
    '/ports/{id}': { get: operation('getPort') },
    '/crews/{id}': { delete: operation('deleteCrew', 'crews', 'people') },
  },
});

function imported(selection: Selection, previous?: string) {
  return adapterFromOpenApi(DOCUMENT, {
    selection,
    ...(previous === undefined ? {} : { previous }),
  });
}

const names = (selection: Selection) =>
  imported(selection).report.operations.map(({ name }) => name);

describe('A9: a part of a document', () => {
  it.each<[Selection, string[]]>([
    [{ tags: ['ships'] }, ['list_ships', 'create_ship', 'get_ship']],
    [{ tags: ['PEOPLE', 'cargo'] }, ['list_shipments', 'delete_crew']],
    [{ paths: ['/ships'] }, ['list_ships', 'create_ship', 'get_ship']],
    [{ paths: ['/ship*'] }, ['list_ships', 'create_ship', 'get_ship', 'list_shipments']],
    [
      { only: ['getShip', 'list_shipments', 'POST /ships'] },
      ['create_ship', 'get_ship', 'list_shipments'],
    ],
    [{ only: ['list*'], exclude: ['cargo'] }, ['list_ships']],
    [{ exclude: ['/ships', 'deleteCrew'] }, ['list_shipments', 'get_port']],
  ])('%j', (selection, expected) => {
    expect(names(selection)).toEqual(expected);
  });

  it('without operations names the flags that selected it', () => {
    const { ok, report } = imported({ tags: ['nothing'] });
    expect(ok).toBe(false);
    expect(report.findings[0]?.message).toContain('--tag');
  });

  it('leaves operations of an earlier part unchanged, and does not report them as removed', () => {
    const first = imported({ tags: ['ships'] });
    const second = imported({ tags: ['cargo'] }, first.ok ? first.adapter : '');
    expect(second.ok && [...second.resolved.operations.keys()].toSorted()).toEqual([
      'create_ship',
      'get_ship',
      'list_shipments',
      'list_ships',
    ]);
    expect(second.report.findings.filter(({ kind }) => kind === 'removed')).toEqual([]);
  });

  it('is selected by the tags of the document', () => {
    const { operations, tags } = apiTags(DOCUMENT);
    expect(operations).toBe(6);
    expect([...tags]).toEqual([
      ['/ports', 1],
      ['cargo', 1],
      ['crews', 1],
      ['people', 1],
      ['ships', 3],
    ]);
    expect(names({ tags: ['/ports', 'cargo'] })).toEqual(['list_shipments', 'get_port']);
    expect(apiTags('no document')).toEqual({ operations: 0, tags: new Map() });
  });

  it('A16: with its own name has that name in the titles of the tools', () => {
    const result = adapterFromOpenApi(DOCUMENT, { name: 'my-boats' });
    expect(result.ok && result.resolved.displayName).toBe('My Boats');
    const named = adapterFromOpenApi(DOCUMENT, { name: 'my-boats', displayName: 'Boats of Ours' });
    expect(named.ok && named.resolved.displayName).toBe('Boats of Ours');
  });
});
