import { describe, expect, it } from 'vitest';

import { judge, type Operation } from './judge.js';
import type { Parameter } from './parameters.js';

/** A GET, with its name, its texts and its parameters. */
function get(path: string, words: Partial<Operation> = {}): Operation {
  return { name: '', ...words, http: { method: 'GET', path } };
}

const proves = (operation: Operation): boolean => judge(operation).isProvenRead;

const reads = (path: string, text?: string, name = ''): boolean =>
  proves(get(path, { name, description: text }));

describe('a GET', () => {
  it.each([
    '/ships/{ship_id}',
    '/orders/{id}/items',
    '/repos/{owner}/{repo}/actions/runs/{run_id}',
    '/users/{id}/posts',
    '/releases/latest',
    '/file/{file_id}',
    '/votes',
    '/cache/stats',
    '/menus',
    '/countrycodes/{code}',
    '/#Action=DescribeInstances',
    '/?Action=ListQueues',
    '/buckets/{bucket}#acl',
    '/search/{text}',
    '/account/getbalance',
  ])('provably reads by its path: %s', (path) => {
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
    '/chat.delete',
  ])('is not proven to read by its path: %s', (path) => {
    expect(reads(path)).toBe(false);
    expect(reads(path, 'Returns the result.')).toBe(false);
  });

  it.each([
    '/logout',
    '/pay',
    '/shutdown',
    '/exec',
    '/jobs/run',
    '/users/deactivate',
    '/tokens/rotate',
  ])('is not proven by a description that says what comes back (B1): %s', (path) => {
    expect(reads(path, 'Returns True on success.')).toBe(false);
    expect(reads(path, 'Get the result of the call.')).toBe(false);
  });

  it.each([
    ['a glued word', '/createacct', 'createacct'],
    ['a glued word', '/markallread', 'markallread'],
    ['a glued word with a plural', '/deleteusers', 'deleteusers'],
    ['a word that no list has', '/meetings/{id}/end', 'endMeeting'],
    ['a word that no list has', '/tickets/{id}/frobnicate', 'frobnicateTicket'],
    ['another language', '/kunden/{id}/loeschen', 'loeschen'],
    ['another language', '/pedidos/{id}/anular', 'anularPedido'],
    ['a parameter that chooses', '/users/{id}/{verb}', 'user'],
    ['a program', '/graphql', 'query'],
    ['a token that is made', '/oauth/token', 'getToken'],
    ['a read that marks', '/notifications/{id}/read', 'readNotification'],
  ])('waits for a review (B2): %s, %s', (_, path, name) => {
    expect(reads(path, 'Returns the result.', name)).toBe(false);
  });

  it('is not proven by silence (B2)', () => {
    expect(reads('/colour')).toBe(false);
    expect(reads('/colour', 'Returns the colour.')).toBe(false);
    expect(reads('/colour', 'Get the colour.')).toBe(true);
    expect(reads('/colour', 'Returns the colour.', 'getColour')).toBe(true);
  });

  it('reads a thing with the name of a verb only if its name or its parameter says so', () => {
    expect(reads('/order/{id}', 'Get an order.')).toBe(false);
    expect(reads('/order/{order_id}', 'Get an order.')).toBe(true);
    expect(reads('/shop/order/{id}', 'Get an order.', 'getOrder')).toBe(true);
    // A name that a program made from the path is no evidence, and a word behind an id is an action.
    expect(reads('/order/{id}', 'Get an order.', 'get_order_id')).toBe(false);
    expect(reads('/ships/{id}/block', 'Get a block.', 'getBlock')).toBe(false);
  });

  it.each([
    'Returns b. Also deletes it.',
    'Returns b. It deletes it afterwards.',
    'Returns b.\nThen removes it from the list.',
    'Returns b; this call also clears the queue.',
    'Get token. Invalidates the previous token.',
    'Get token. This invalidates the previous token.',
    'Get a link. The previous link becomes invalid.',
    'Get a page. Sorted by date. Free of charge. Slow. Resets the counter.',
    'Gets a customer. Elimina el cliente.',
    '<p><b>Deletes</b> all orders.</p>',
  ])('is not proven to read by its description: %s', (description) => {
    expect(reads('/orders', description)).toBe(false);
  });

  it.each([
    'Lists the orders. Comments are sorted by date.',
    'Gets a run. Deleted runs are not included.',
    'Lists issues. Requests are limited to 60 an hour.',
    'List the release. Delete it with the other endpoint.',
    'Gets a user. This endpoint works with tokens.',
    'Gets a file. It supports custom media types.',
    'This endpoint allows you to retrieve a file.',
    '### Description: Retrieve a list of roles.',
    'Returns a list of orders.',
    'Recent changes',
  ])('is proven to read with the description: %s', (description) => {
    expect(reads('/b', description)).toBe(true);
  });

  it('is not proven by a title whose first word is a plural', () => {
    expect(reads('/b', 'Views Publish')).toBe(false);
    expect(reads('/b', 'Calls')).toBe(true);
  });

  it('is not proven by a description that only names its verb', () => {
    expect(reads('/gpio/{n}/toggle/{v}', 'An endpoint that toggles it.')).toBe(false);
  });
});

describe('the words of a GET', () => {
  it.each([
    ['nuke_all', 'Nukes everything'],
    ['get_ships', 'Nukes everything'],
    ['fetchAndBurn', 'Fetch, then burns the token'],
    ['fetchAndBurn', undefined],
    ['getOrCreateUser', undefined],
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
    ['get_d\u0435lete', undefined],
  ])('do not prove that it reads: %s, %s', (name, description) => {
    expect(reads('/ships', description, name)).toBe(false);
  });

  it.each([
    ['/ships', 'ships', undefined],
    ['/ships/{id}', 'ship_details', undefined],
    ['/x', 'list_ships', 'Note the limit of this endpoint.'],
    ['/x', 'list_teams', 'Teams (all)'],
    ['/x', 'list_tokens', 'Lists all tokens that were revoked.'],
    [
      '/x',
      'list_runs',
      'Lists runs. If the job ends, all runs are sorted. It has no side effects.',
    ],
    ['/x', 'get_me', 'Get authenticated user details'],
    ['/bot{token}/getUpdates', 'getUpdates', undefined],
    ['/exports/{id}/download', 'downloadExport', undefined],
  ])('prove that it reads: %s, %s, %s', (path, name, description) => {
    expect(reads(path, description, name)).toBe(true);
  });

  it.each([
    ['/bot{token}/getMe', '', undefined],
    ['/getUpdates', '', 'Use this method to receive updates.'],
    ['/votes', '', undefined],
    ['/cache/stats', '', undefined],
    ['/files/{id}/download', '', undefined],
    ['/move', 'listMoves', undefined],
    ['/type', 'type_list', undefined],
  ])('hold no read back that looks like a change: %s, %s, %s (B18)', (path, name, description) => {
    expect(reads(path, description, name)).toBe(true);
    // Nothing says here that it reads.
    expect(reads('/move')).toBe(false);
  });

  it('are evidence, each with its place', () => {
    const facts = (operation: Operation) =>
      judge(operation).evidence.map(({ where, word, effect }) => `${where}: ${word} ${effect}`);
    expect(facts(get('/api?do=purge', { name: 'get_it' }))).toEqual([
      'name: get reads',
      'path: purge destroys',
    ]);
    expect(facts(get('/ships/{id}/frobnicate'))).toEqual(['path: frobnicate undefined']);
  });
});

describe('a parameter of a GET', () => {
  type Given = Partial<Omit<Parameter, 'name' | 'isListed'>>;

  const withParam = (name: string, given: Given = {}, path = '/ships'): boolean => {
    const values = given.values ?? [];
    const param = { type: 'string', ...given, name, values, isListed: values.length > 0 };
    return proves(
      get(path, { name: 'list_ships', description: 'Lists ships.', parameters: [param] }),
    );
  };

  it.each<[string, Given]>([
    ['X-HTTP-Method-Override', { place: 'header' }],
    ['X-Method-Override', { place: 'header' }],
    ['_method', {}],
    ['method', {}],
    ['do', {}],
    ['action', { values: ['delete', 'view'] }],
    ['op', { values: ['view', 'frobnicate'] }],
    ['turn', { values: ['on', 'off'] }],
    ['mode', { values: ['view', 'delete'] }],
    ['modes', { type: 'array', values: ['removeAll'] }],
    ['delete', { type: 'boolean' }],
    ['drop', {}],
    ['reset', {}],
    ['sql', {}],
    // The caller chooses its keys.
    ['filter', { type: 'object', hasFreeKeys: true }],
  ])('is a doubt (B2): %s %j', (name, given) => {
    expect(withParam(name, given)).toBe(false);
  });

  it.each<[string, Given]>([
    ['page', { type: 'integer' }],
    ['state', { values: ['open', 'closed', 'deleted'] }],
    ['event_type', { values: ['create', 'delete'] }],
    ['sort', { values: ['created', 'updated'] }],
    ['action', { values: ['list', 'DescribeShips'] }],
    ['id', { values: ['insert identifier here'] }],
    ['filter', { type: 'object' }],
    ['include_deleted', { type: 'boolean' }],
    ['payment_method', {}],
    ['Accept', { place: 'header' }],
    ['make', {}],
  ])('is no doubt: %s %j', (name, given) => {
    expect(withParam(name, given)).toBe(true);
  });

  it('with the name of an action may name a thing of the path', () => {
    expect(withParam('operation', {}, '/operations/{operation}')).toBe(true);
    expect(withParam('operation', {}, '/operations')).toBe(false);
    expect(withParam('operation', {}, '/ships/{operation}')).toBe(false);
  });

  it('together with a recipient sends something', () => {
    const param = (name: string): Parameter => ({ name, values: [], isListed: false });
    expect(proves(get('/messages', { parameters: [param('to')] }))).toBe(true);
    expect(proves(get('/messages', { parameters: [param('to'), param('text')] }))).toBe(false);
  });
});

it('no method but GET and HEAD is a proven read', () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    expect(proves({ name: '', http: { method, path: '/ships' } })).toBe(false);
  }
  expect(proves({ name: '', http: { method: 'HEAD', path: '/ships' } })).toBe(true);
});
