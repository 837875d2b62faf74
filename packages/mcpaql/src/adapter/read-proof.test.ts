import { describe, expect, it } from 'vitest';

import { namedChange, provablyReads } from './read-proof.js';

const reads = (path: string, description?: string, name = ''): boolean =>
  provablyReads({
    name,
    http: { method: 'GET', path },
    descriptions: description === undefined ? [] : [description],
  });

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
