import { judge } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import type { HttpMethod } from '../../adapter/maps-to.js';
import { classifyOperation, dangerOf } from './classify-operation.js';

const classOf = (line: string, id?: string): string => {
  const [method, path] = line.split(' ') as [HttpMethod, string];
  const judgement = judge({ name: id ?? '', http: { method, path } });
  const { endpoint, isGuess } = classifyOperation(judgement, method);
  const danger = dangerOf(id ?? 'thing', endpoint, judgement);
  return `${endpoint}${isGuess ? '?' : ''}${danger === undefined ? '' : ` ${danger}`}`;
};

describe('an HTTP operation belongs to an endpoint (M36)', () => {
  it.each([
    ['GET /ships', undefined, 'read'],
    ['GET /ships/{id}', 'getShip', 'read'],
    ['POST /ships', undefined, 'create'],
    ['POST /ships', 'createShip', 'create'],
    ['PUT /ships/{id}', undefined, 'update'],
    ['PATCH /ships/{id}', 'updateShip', 'update'],
    ['PUT /users/{id}/suspend', undefined, 'update destructive'],
    ['PUT /boxes/{id}', 'replace_box', 'update destructive'],
    ['DELETE /ships/{id}', undefined, 'delete destructive'],
    ['DELETE /ships/{id}/flag', 'unsetFlag', 'delete destructive'],
  ])('by its method: %s (%s) is %s', (line, id, expected) => {
    expect(classOf(line, id)).toBe(expected);
  });

  it.each([
    ['POST /search', undefined, 'read?'],
    ['POST /ships/search', 'searchShips', 'read?'],
    ['POST /graph:query', undefined, 'read?'],
    ['POST /reports', 'validateReport', 'read?'],
    ['POST /users/{id}/deactivate', undefined, 'update? destructive'],
    ['POST /users/{id}/deactivate', 'deactivateUser', 'update? destructive'],
    ['POST /jobs/{id}/cancel', undefined, 'delete? destructive'],
    ['POST /jobs/{id}/run', undefined, 'execute?'],
    ['POST /messages:batchDelete', undefined, 'delete? destructive'],
    ['POST /ships/delete', undefined, 'delete? destructive'],
    ['POST /mails/send', 'sendMail', 'execute? destructive'],
    ['POST /orders/{id}/refund', 'refund_order', 'execute? destructive'],
    ['POST /ships/{id}', undefined, 'update?'],
    ['GET /sessions/current', 'deleteSession', 'delete? destructive'],
  ])('by its meaning, marked as a guess: %s (%s) is %s', (line, id, expected) => {
    expect(classOf(line, id)).toBe(expected);
  });

  it('a GET of a thing whose name is also a verb is a read, and is marked for review', () => {
    expect(classOf('GET /archive')).toBe('read?');
    expect(classOf('GET /ships/{id}/block', 'getBlock')).toBe('read?');
  });

  it('a GET that ends in an unknown word, and that nothing calls a read, may be an action (B2)', () => {
    expect(classOf('GET /ships/{id}/frobnicate')).toBe('execute?');
    expect(classOf('GET /ships/{id}/frobnicate', 'getFrobnicate')).toBe('read?');
    expect(classOf('GET /ships/{id}/draught')).toBe('execute?');
    expect(classOf('GET /ships/{id}/crew_members')).toBe('read');
  });

  it('a POST that is a read only by its own verb is not believed', () => {
    expect(classOf('POST /reports/{id}/export', 'exportReport')).toBe('update?');
    expect(classOf('POST /reports/{id}/resolve', 'resolveReport')).toBe('execute?');
    expect(classOf('POST /utils/sort/{collection}', 'sort')).toBe('execute?');
  });

  it('a POST whose name begins with an action that is not known is no read', () => {
    expect(classOf('POST /sites/{id}/search/prewarm', 'prewarmSiteSearch')).toBe('execute?');
    expect(classOf('POST /sites/{id}/search', 'siteSearch')).toBe('read?');
  });

  it('a name that suggests more than a destructive operation counts', () => {
    expect(classOf('DELETE /ships', 'purge_ships')).toBe('delete dangerous');
    expect(classOf('DELETE /ships', 'delete_all_ships')).toBe('delete forbidden');
  });
});
