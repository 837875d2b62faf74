import { NOTHING, type Call, type Reply, type Source } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { CountedSource } from './counted-source.js';

/** A source with one tool, whose calls end when told to. */
function slowSource() {
  const ends: ((reply: Reply) => void)[] = [];
  const fails: ((error: Error) => void)[] = [];
  const item = { name: 't', json: '{"name":"t"}' };
  const source: Source = {
    offer: NOTHING,
    route: (_, name) =>
      name === 't'
        ? {
            item,
            send: () =>
              new Promise((resolve, reject) => {
                ends.push(resolve);
                fails.push(reject);
              }),
          }
        : undefined,
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
  return { counted: new CountedSource(source), ends, fails, item };
}

describe('a counted source', () => {
  const call = {} as Call;

  it('is idle when nothing was called', async () => {
    const { counted } = slowSource();
    await counted.idle();
    expect(counted.underWay).toBe(0);
  });

  it('leads where its inner one does', () => {
    const { counted, item } = slowSource();
    expect(counted.route('tool', 't')?.item).toBe(item);
    expect(counted.route('tool', 'u')).toBeUndefined();
  });

  it('is idle again when every call has come back, well or not', async () => {
    const { counted, ends, fails } = slowSource();
    const route = counted.route('tool', 't')!;
    const [first, second] = [route.send(call), counted.route('tool', 't')!.send(call)];
    expect(counted.underWay).toBe(2);
    let isIdle = false;
    const idle = counted.idle().then(() => (isIdle = true));
    ends[0]!({ ok: true, json: '{}' });
    expect(await first).toEqual({ ok: true, json: '{}' });
    expect(isIdle).toBe(false);
    fails[1]!(new Error('broken'));
    await expect(second).rejects.toThrow('broken');
    await idle;
    expect(counted.underWay).toBe(0);
  });
});
