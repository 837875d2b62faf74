import { describe, expect, it, vi } from 'vitest';

import { CallContext } from './call-context.js';

describe('cancellation', () => {
  it('has any number of listeners, each called once, the latest first (C5)', () => {
    const context = new CallContext();
    const heard: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      context.onCancel((reason) => heard.push(`${name} ${reason}`));
    }
    context.cancel('enough');
    context.cancel('again');
    expect(heard).toEqual(['c enough', 'b enough', 'a enough']);
    expect(context.isCancelled).toBe(true);
  });

  it.each([0, 1, 2])('forgets listener %i of three, and keeps the others', (gone) => {
    const context = new CallContext();
    const listeners = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()];
    for (const listener of listeners) context.onCancel(listener);
    context.offCancel(listeners[gone]!);
    context.cancel();
    expect(listeners.map(({ mock }) => mock.calls.length)).toEqual(
      [0, 1, 2].map((i) => (i === gone ? 0 : 1)),
    );
  });

  it('accepts a new listener after the first one is removed', () => {
    const context = new CallContext();
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
    context.onCancel(first);
    context.offCancel(first);
    context.onCancel(second);
    context.cancel();
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledOnce();
  });

  it('can stop the work while the caller still waits', () => {
    const context = new CallContext();
    const stopped = vi.fn<(reason: string | undefined) => void>();
    context.onCancel(stopped);
    context.stop('It took too long.');
    expect(stopped.mock.calls).toEqual([['It took too long.']]);
    expect(context.isStopped).toBe(true);
    expect(context.isCancelled).toBe(false);
    context.cancel();
    expect(stopped).toHaveBeenCalledOnce();
  });
});

describe('decisions', () => {
  it('are kept in order, only the latest of each module', () => {
    const context = new CallContext();
    expect(context.decisions).toEqual([]);
    context.note({ module: 'a', decision: 'confirm', rule: '1' });
    context.note({ module: 'b', decision: 'allow', rule: '2' });
    context.note({ module: 'a', decision: 'deny', rule: '3' });
    expect(context.decisions).toEqual([
      { module: 'a', decision: 'deny', rule: '3' },
      { module: 'b', decision: 'allow', rule: '2' },
    ]);
  });
});

describe('waiting for a person (M24)', () => {
  it('is added up, even while it goes on, and waits at the same time count once', async () => {
    const context = new CallContext();
    let now = 1_000;
    const wait = () => {
      let end!: () => void;
      const person = new Promise<void>((resolve) => {
        end = resolve;
      });
      return { end, over: context.whileWaiting(person, () => now) };
    };
    const first = wait();
    now += 10;
    expect(context.waitedMs(now)).toBe(10);
    const second = wait();
    now += 20;
    first.end();
    await first.over;
    now += 30;
    second.end();
    await second.over;
    now += 100;
    expect(context.waitedMs(now)).toBe(60);
    await expect(
      context.whileWaiting(Promise.reject(new Error('no')), () => now),
    ).rejects.toThrow();
    expect(context.waitedMs(now)).toBe(60);
  });
});
