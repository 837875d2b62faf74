import { describe, expect, it } from 'vitest';

import type { ParamDocument } from './adapter-document.js';
import { namedChange, provablyReads } from './read-proof.js';

type Params = Readonly<Record<string, ParamDocument>>;

const reads = (path: string, description?: string, name = '', params: Params = {}): boolean =>
  provablyReads(
    {
      name,
      http: { method: 'GET', path },
      descriptions: description === undefined ? [] : [description],
    },
    params,
  );

describe('a GET', () => {
  it.each([
    '/ships/{ship_id}',
    '/orders/{id}/items',
    '/repos/{owner}/{repo}/actions/runs/{run_id}',
    '/users/{id}/posts',
    '/releases/latest',
    '/#Action=DescribeInstances',
    '/?Action=ListQueues',
    '/buckets/{bucket}#acl',
    '/search/{text}',
  ])('provably reads: %s', (path) => {
    expect(reads(path)).toBe(true);
  });

  it.each([
    '/api?do=deleteEverything',
    '/api?fn=purge',
    '/api?fn={fn}',
    '/api?purge',
    '/api?action=list&cmd=purge',
    '/api?action=list&x=1',
    '/api?action={action}',
    '/#Action=RunInstances',
    '/delete/{id}',
    '/b/{id}/delete/now',
    '/b/delete-all/{id}',
    '/gpio/{n}/set/{v}',
    '/queue/pop',
    '/users:invite',
    '/device/{id}/reboot',
  ])('is not proven to read by its path: %s', (path) => {
    expect(reads(path)).toBe(false);
  });

  it.each([
    'Returns b. Also deletes it.',
    'Returns b. It deletes it afterwards.',
    'Returns b.\nThen removes it from the list.',
    'Returns b; this call also clears the queue.',
    'Get token. Invalidates the previous token.',
    'Get token. This invalidates the previous token.',
    'Get a page. Sorted by date. Free of charge. Slow. Resets the counter.',
  ])('is not proven to read by its description: %s', (description) => {
    expect(reads('/b', description)).toBe(false);
  });

  it.each([
    'Lists the orders. Comments are sorted by date.',
    'Gets a run. Deleted runs are not included.',
    'Lists issues. Requests are limited to 60 an hour.',
    'Returns the release. Delete it with the other endpoint.',
    'Gets a user. This endpoint works with tokens.',
    'Gets a file. It supports custom media types.',
  ])('is proven to read with the description: %s', (description) => {
    expect(reads('/b', description)).toBe(true);
  });

  it('is not proven by a description that only names its verb', () => {
    expect(reads('/gpio/{n}/toggle/{v}', 'An endpoint that toggles it.')).toBe(false);
  });

  it('names the word that is in doubt', () => {
    const http = { method: 'GET', path: '/api?do=purge' };
    expect(namedChange({ name: 'get_it', http, descriptions: [] })).toMatchObject({
      word: 'do=purge',
    });
  });
});

describe('the words of a GET', () => {
  it.each([
    ['nuke_all', 'Nukes everything'],
    ['get_ships', 'Nukes everything'],
    ['fetchAndBurn', 'Fetch, then burns the token'],
    ['fetchAndBurn', undefined],
    ['fetch_token', 'Fetch, then burns the token'],
    ['listX', 'Lists. As a side effect, all sessions get terminated'],
    ['listX', 'Lists the sessions. All sessions are terminated.'],
    ['listX', 'Lists the sessions, which will be deleted. The queue will be emptied and deleted.'],
    ['listX', 'Lists the messages. They are then removed.'],
    ['listX', 'Lists the drafts. They are then sent.'],
    ['listX', 'Lists the files. They are then overwritten.'],
    ['holeDinge', 'Löscht alle Dinge'],
    ['get_dinge', 'Löscht alle Dinge'],
    ['frobnicate_ship', undefined],
    ['get_webhook', 'Dissociates a webhook from a user.'],
  ])('do not prove that it reads: %s, %s', (name, description) => {
    expect(reads('/a2', description, name)).toBe(false);
  });

  it.each([
    ['/ships', 'ships', undefined],
    ['/ships/{id}', 'ship_details', undefined],
    ['/person/eyecolor', 'eye_color_1', undefined],
    ['/x', 'frobnicate', 'Returns the result.'],
    ['/x', 'list_ships', 'Note the limit of this endpoint.'],
    ['/x', 'list_teams', 'Teams (all)'],
    ['/x', 'list_tokens', 'Lists all tokens that were revoked.'],
    [
      '/x',
      'list_runs',
      'Lists runs. If the job ends, all runs are sorted. It has no side effects.',
    ],
    ['/x', 'get_me', 'Get authenticated user details'],
  ])('prove that it reads: %s, %s, %s', (path, name, description) => {
    expect(reads(path, description, name)).toBe(true);
  });
});

describe('a parameter of a GET', () => {
  const withParam = (name: string, param: Partial<ParamDocument> = {}, path = '/ships'): boolean =>
    reads(path, 'Lists ships.', 'list_ships', { [name]: { type: 'string', ...param } });

  it.each<[string, Partial<ParamDocument>]>([
    ['x_http_method_override', { as: 'X-HTTP-Method-Override', in: 'header' }],
    ['x_method', { as: 'X-Method-Override', in: 'header' }],
    ['method', { as: '_method' }],
    ['method', {}],
    ['action', { enum: ['delete', 'view'] }],
    ['action', { default: 'view' }],
    ['op', { enum: ['view', 'frobnicate'] }],
    ['mode', { enum: ['view', 'delete'] }],
    ['mode', { default: 'delete' }],
    ['modes', { type: 'array', items: { type: 'string', enum: ['removeAll'] } }],
    ['mode', { type: 'union', one_of: [{ type: 'string', enum: ['erase'] }] }],
    ['delete', { type: 'boolean' }],
    ['sql', {}],
    // The caller chooses its keys.
    ['filter', { type: 'object', object_style: 'keys' }],
  ])('is a doubt: %s %j', (name, param) => {
    expect(withParam(name, param)).toBe(false);
  });

  it.each<[string, Partial<ParamDocument>]>([
    ['page', { type: 'integer', default: 1 }],
    ['state', { enum: ['open', 'closed', 'deleted'] }],
    ['sort', { enum: ['created', 'updated'], default: 'created' }],
    ['action', { enum: ['list', 'DescribeShips'] }],
    ['id', { default: 'insert identifier here' }],
    ['filter', { type: 'object', object_style: 'deep' }],
    ['include_deleted', { type: 'boolean' }],
    ['payment_method', {}],
  ])('is no doubt: %s %j', (name, param) => {
    expect(withParam(name, param)).toBe(true);
  });

  it('with the name of an action may name a thing of the path', () => {
    expect(withParam('operation', {}, '/operations/{operation}')).toBe(true);
    expect(withParam('operation', {}, '/operations')).toBe(false);
    expect(withParam('operation', {}, '/ships/{operation}')).toBe(false);
  });
});
