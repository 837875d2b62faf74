import { describe, expect, it } from 'vitest';

import { ThreadProgram } from './thread-program.js';

const started = (code: string, computeMs: number): ThreadProgram =>
  new ThreadProgram({
    code,
    seed: 1,
    now: 0,
    limits: { computeMs, memoryBytes: 24 * 2 ** 20, outputLength: 10_000 },
  });

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
});
