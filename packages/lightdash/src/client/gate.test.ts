import { describe, expect, it } from 'vitest';

import { Gate } from './gate.js';

const NEVER = undefined;

/** Work that ends on command. */
function work(): { run: () => Promise<void>; end: () => void; started: boolean } {
  const made = {
    started: false,
    end: (): void => undefined,
    run: async (): Promise<void> => undefined,
  };
  const ended = new Promise<void>((resolve) => {
    made.end = resolve;
  });
  made.run = () => {
    made.started = true;
    return ended;
  };
  return made;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a gate', () => {
  it('runs a limited number at a time, and the next in order when one ends', async () => {
    const gate = new Gate(2);
    const works = [work(), work(), work(), work()];
    const runs = works.map(({ run }) => gate.run(NEVER, run));
    await turn();
    expect(works.map(({ started }) => started)).toEqual([true, true, false, false]);
    works[1]!.end();
    await turn();
    expect(works.map(({ started }) => started)).toEqual([true, true, true, false]);
    for (const { end } of works) end();
    await Promise.all(runs);
    expect(works[3]!.started).toBe(true);
  });

  it('gives the slot of failed work to the next', async () => {
    const gate = new Gate(1);
    await expect(gate.run(NEVER, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(gate.run(NEVER, async () => 'yes')).resolves.toBe('yes');
  });

  it('drops work that is cancelled while waiting', async () => {
    const gate = new Gate(1);
    const first = work();
    const running = gate.run(NEVER, first.run);
    const stop = new AbortController();
    const second = work();
    const waiting = gate.run(stop.signal, second.run);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    first.end();
    await running;
    expect(await gate.run(NEVER, async () => 'free')).toBe('free');
    expect(second.started).toBe(false);
  });

  it('does not run work that was cancelled before', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    const late = work();
    await expect(new Gate(1).run(gone, late.run)).rejects.toThrow('gone');
    expect(late.started).toBe(false);
  });

  it('limits how many wait', async () => {
    const gate = new Gate(1, 1);
    const first = work();
    const all = [gate.run(NEVER, first.run), gate.run(NEVER, async () => undefined)];
    await expect(gate.run(NEVER, async () => undefined)).rejects.toThrow('Too many calls');
    first.end();
    await Promise.all(all);
  });
});
