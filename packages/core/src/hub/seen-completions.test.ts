import { describe, expect, it } from 'vitest';

import type { Reply } from '../call/reply.js';
import { seenCompletions } from './seen-completions.js';

/** Sends completions of a variable past a client that sees no URI with `secret` in it. */
function completed(
  template: string,
  reply: Reply,
  { variable = 'name', known }: { variable?: string; known?: unknown } = {},
) {
  const asked: string[] = [];
  const context = known === undefined ? {} : { context: { arguments: known } };
  const params = { ref: {}, argument: { name: variable, value: '' }, ...context };
  const seen = seenCompletions(reply, template, JSON.stringify(params), (uri) => {
    asked.push(uri);
    return !uri.includes('secret');
  });
  return { seen, asked };
}
const valuesOf = (...values: unknown[]): Reply => ({
  ok: true,
  json: JSON.stringify({ completion: { values, total: 9, hasMore: true }, n: 1 }),
});

describe('completions', () => {
  it('leave out values that lead to hidden resources, and the server’s total', () => {
    const { seen, asked } = completed('x://{name}', valuesOf('a', 'secret', 'b'));
    expect(seen).toEqual({
      ok: true,
      json: '{"completion":{"values":["a","b"],"hasMore":true},"n":1}',
    });
    expect(asked).toEqual(['x://a', 'x://secret', 'x://b']);
  });

  it('are the server’s own reply if nothing is hidden', () => {
    const reply = valuesOf('a', 'b');
    expect(completed('x://{name}', reply).seen).toBe(reply);
  });

  it.each([
    ['x://{+name}', 'x://v'],
    ['x://{name:3}', 'x://v'],
    ['x://{name*}', 'x://v'],
    ['x://{/name}', 'x://v'],
    ['x://{?name}', 'x://v'],
    ['x://{org}/{name}', 'x://acme/v'],
    ['x://{other}/{name}', 'x://{other}/v'],
    ['x://{number}/{name}', 'x://{number}/v'],
    ['x://{constructor}/{name}', 'x://{constructor}/v'],
    ['x://{name}/{name}', 'x://v/v'],
  ])('of %s are judged as %s', (template, uri) => {
    const known = { org: 'acme', number: 7, name: 'old' };
    expect(completed(template, valuesOf('v'), { known }).asked).toEqual([uri]);
  });

  it('of another variable are judged by what is known', () => {
    const given = { variable: 'org', known: { name: 'secret' } };
    expect(JSON.parse(completed('x://{org}/{name}', valuesOf('a'), given).seen.json)).toMatchObject(
      {
        completion: { values: [] },
      },
    );
    expect(completed('x://{name}', valuesOf('a'), { known: ['secret'] }).asked).toEqual(['x://a']);
  });

  it.each([
    ['an error', { ok: false, json: '{"completion":{"values":["secret"]}}' }],
    ['no completion', { ok: true, json: '{}' }],
    ['no values', { ok: true, json: '{"completion":{"total":1}}' }],
    ['another form', { ok: true, json: '{"completion":["secret"]}' }],
    ['null', { ok: true, json: '{"completion":null}' }],
  ])('are passed on if there are none: %s', (_, reply) => {
    const { seen, asked } = completed('x://{name}', reply);
    expect(seen).toBe(reply);
    expect(asked).toEqual([]);
  });
});
