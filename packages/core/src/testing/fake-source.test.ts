import { describe, expect, it } from 'vitest';

import { fakeCall, sendTo } from './fake-call.js';
import { fakeSource } from './fake-source.js';

describe('a fake source', () => {
  it('gives each call to the test, which decides when to answer', async () => {
    const { source, next, calls } = fakeSource({ tools: ['read_file'] });
    const taken = next();
    const replies = [sendTo(source, 'read_file'), sendTo(source, 'read_file')];
    (await next()).answer({ content: ['second'] });
    (await taken).answer({ content: ['first'] });
    expect(await Promise.all(replies)).toEqual([
      { ok: true, json: '{"content":["first"]}' },
      { ok: true, json: '{"content":["second"]}' },
    ]);
    expect(calls).toHaveLength(2);
  });

  it('shows what a server would get', async () => {
    const { source, next } = fakeSource({ tools: ['read_file'] });
    const params = '{"_meta":{"progressToken":"mine"},"name":"fs:read_file","n":1.0}';
    void source.route('tool', 'read_file')!.send(fakeCall(params));
    expect((await next()).params).toBe('{"_meta":{"progressToken":7},"name":"read_file","n":1.0}');
  });

  it('fails, refuses or answers, as the test tells it', async () => {
    const { source, next, answerAll } = fakeSource({ tools: ['t'] });
    const failed = sendTo(source, 't');
    (await next()).fail(new Error('gone'));
    await expect(failed).rejects.toThrow('gone');
    const refused = sendTo(source, 't');
    (await next()).reply({ ok: false, json: '{"code":-32000}' });
    expect(await refused).toEqual({ ok: false, json: '{"code":-32000}' });
    answerAll({});
    expect(await sendTo(source, 't')).toEqual({ ok: true, json: '{}' });
  });

  it('announces a changed offer', () => {
    const fake = fakeSource({ tools: ['a'], prompts: ['p'] });
    const events: unknown[] = [];
    const stop = fake.source.subscribe((event) => events.push(event));
    fake.offers({ tools: ['b'] });
    expect(fake.source.offer.tool.map(({ name }) => name)).toEqual(['b']);
    expect(fake.source.offer.prompt).toHaveLength(1);
    expect(events).toEqual([{ type: 'changed', kinds: ['tool'] }]);
    stop();
    expect(fake.listeners()).toBe(0);
  });
});
