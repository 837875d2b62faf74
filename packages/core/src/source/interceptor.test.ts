import { describe, expect, it } from 'vitest';

import { intercept, type Interceptor } from './interceptor.js';
import { fakeCall } from '../testing/fake-call.js';
import { fakeSource } from '../testing/fake-source.js';

const setUp = () => {
  const { source, next, calls } = fakeSource({ tools: ['t'] });
  return { route: source.route('tool', 't')!, next, calls, call: fakeCall('{"name":"t"}') };
};

describe('interceptors', () => {
  it('run in order: the first sees the call first and the reply last', async () => {
    const { route, next, call } = setUp();
    const seen: string[] = [];
    const note =
      (name: string): Interceptor =>
      async (seenCall, inner) => {
        expect(seenCall).toBe(call);
        seen.push(`${name} in`);
        const reply = await inner();
        seen.push(`${name} out`);
        return { ...reply, json: `${reply.json}<${name}` };
      };
    const sent = intercept(route, [note('audit'), note('policy'), note('retry')]).send(call);
    (await next()).reply({ ok: true, json: 'server' });
    expect((await sent).json).toBe('server<retry<policy<audit');
    expect(seen).toEqual([
      'audit in',
      'policy in',
      'retry in',
      'retry out',
      'policy out',
      'audit out',
    ]);
  });

  it('add nothing if the list is empty', () => {
    const { route } = setUp();
    expect(intercept(route, [])).toBe(route);
  });

  it('may send a call again, and the inner ones see each attempt', async () => {
    const { route, next, calls, call } = setUp();
    let inner = 0;
    const retry: Interceptor = (_, ask) => ask().catch(() => ask());
    const count: Interceptor = (_, ask) => {
      inner++;
      return ask();
    };
    const sent = intercept(route, [retry, count]).send(call);
    (await next()).fail(new Error('down'));
    (await next()).answer({ second: true });
    expect((await sent).json).toBe('{"second":true}');
    expect([inner, calls.length]).toEqual([2, 2]);
  });

  it('may answer without calling next', async () => {
    const { route, calls, call } = setUp();
    const deny: Interceptor = () => Promise.resolve({ ok: false, json: '{}' });
    expect(await intercept(route, [deny]).send(call)).toEqual({ ok: false, json: '{}' });
    expect(calls).toEqual([]);
  });

  it('that throw reject like any other failure, and earlier interceptors see it', async () => {
    const { route, call } = setUp();
    const seen: unknown[] = [];
    const audit: Interceptor = (_, ask) =>
      ask().catch((error: unknown) => {
        seen.push(error);
        throw error;
      });
    const broken: Interceptor = () => {
      throw new Error('a bug');
    };
    await expect(intercept(route, [audit, broken]).send(call)).rejects.toThrow('a bug');
    expect(seen).toHaveLength(1);
  });

  it('keep the route’s item', () => {
    const { route } = setUp();
    const pass: Interceptor = (_, ask) => ask();
    expect(intercept(route, [pass, pass]).item).toBe(route.item);
  });
});
