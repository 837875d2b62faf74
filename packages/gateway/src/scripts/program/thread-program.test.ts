import { afterAll, describe, expect, it } from 'vitest';

import type { Program } from './steps.js';
import { ProgramThreads } from './thread-program.js';

const MB = 2 ** 20;
const threads = new ProgramThreads();
afterAll(() => threads.close());

const started = (code: string, computeMs: number, memoryBytes = 24 * MB): Program =>
  threads.start({
    code,
    seed: 1,
    now: 0,
    limits: { computeMs, memoryBytes, outputLength: 10_000 },
  });
const endOf = async (program: Program): Promise<unknown> => {
  try {
    return (await program.begin()).end;
  } finally {
    program.stop();
  }
};

describe('a program in a thread', () => {
  it('ends with its result', async () => {
    const program = started('return (await tools.s.t()) + 1', 60_000);
    expect((await program.begin()).calls).toHaveLength(1);
    expect((await program.give(0, { is: 'value', json: '1' }, 0)).end).toEqual({ json: '2' });
    program.stop();
  });

  it.each([
    ['loops', 'for (;;);'],
    [
      'catches that it has no memory',
      'const a = []; for (;;) try { for (;;) a.push({}) } catch {}',
    ],
    ['computes for long in one operation', 'for (;;) "x".repeat(5e6).split("").reverse().join("")'],
  ])('is ended if it %s', async (_, code) => {
    const said = await started(code, 300)
      .begin()
      .then(
        ({ end }) => (end && 'error' in end ? end.error : 'no error'),
        (error: Error) => error.message,
      );
    expect(said).toMatch(/more than 0.3 s|more than 24 MB|memory was full/);
  });

  it('is ended while it computes, and answers nothing after that', async () => {
    const program = started('for (;;);', 60_000);
    const begun = program.begin();
    program.stop();
    await expect(begun).rejects.toThrow('The program was stopped.');
    await expect(program.begin()).rejects.toThrow('The program was stopped.');
  });

  it('finds nothing of the one before it', async () => {
    const leave = 'globalThis.left = 1; Object.prototype.left = 1; return left';
    const look = 'return [typeof left, ({}).left === undefined]';
    for (const code of [leave, look, leave, look])
      expect(await endOf(started(code, 60_000))).toEqual({
        json: code === leave ? '1' : '["undefined",true]',
      });
  });

  it('has the memory of its own limits, not that of the program before it', async () => {
    const fill = 'return new Uint8Array(40e6).length';
    expect(await endOf(started('return 1', 60_000))).toEqual({ json: '1' });
    expect(await endOf(started(fill, 60_000, 64 * MB))).toEqual({ json: '40000000' });
    expect(await endOf(started(fill, 60_000))).toEqual({
      error: expect.stringMatching(/memory/),
    });
  });
});
