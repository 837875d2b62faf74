import type { QuickJSWASMModule } from 'quickjs-emscripten-core';
import { beforeEach, describe, expect, it } from 'vitest';

import { EngineRun, loadEngine } from './engine.js';
import type { ProgramLimits, Step } from './steps.js';

const MEMORY_BYTES = 24 * 2 ** 20;
let engine: QuickJSWASMModule;
beforeEach(async () => {
  engine = await loadEngine(MEMORY_BYTES);
});

const LIMITS: ProgramLimits = {
  computeMs: 30_000,
  memoryBytes: MEMORY_BYTES,
  outputLength: 10_000,
};
const run = (code: string, limits: Partial<ProgramLimits> = {}) =>
  new EngineRun(engine, { code, seed: 7, now: 1_000, limits: { ...LIMITS, ...limits } });
const endOf = (code: string, limits?: Partial<ProgramLimits>): Step['end'] =>
  run(code, limits).begin().end;

describe('a program', () => {
  it('ends with its result as JSON', () => {
    expect(endOf('return { a: [1, "x"] }')).toEqual({ json: '{"a":[1,"x"]}' });
    expect(endOf('1')).toEqual({ json: 'null' });
  });

  it('makes calls in order, and goes on with what they give', () => {
    const program = run(
      'const [a, b] = await Promise.all([tools.s.t({ x: 1 }), call("s-2:odd name")]); return [a.n, b]',
    );
    const calls = [
      { tool: 's:t', json: '{"x":1}' },
      { tool: 's-2:odd name', json: '{}' },
    ];
    expect(program.begin()).toEqual({ calls, hasStopped: false, printed: '' });
    expect(program.give(1, { is: 'value', json: '"b"' }, 0).end).toBeUndefined();
    expect(program.give(0, { is: 'value', json: '{"n":5}' }, 0).end).toEqual({ json: '[5,"b"]' });
  });

  it('gets a failure of a tool as an error that it can catch', () => {
    const program = run('try { await tools.s.t() } catch (e) { return e.name + e.message }');
    program.begin();
    const { end } = program.give(0, { is: 'error', name: 'ToolError', message: 'no' }, 0);
    expect(end).toEqual({ json: '"ToolErrorno"' });
  });

  it('says in which line it threw', () => {
    expect(endOf('let a = 1\nnull.b')).toEqual({
      error: expect.stringMatching(/TypeError.*line 2/),
    });
    expect(endOf('let let')).toEqual({ error: expect.stringContaining('SyntaxError') });
    expect(endOf('throw { get message() { throw 1 } }')).toEqual({
      error: 'the program threw an error that cannot be shown',
    });
  });

  it.each([
    [`throw new Error('a'.repeat(1e5))`],
    [`throw new Error('a'.repeat(15e6))`],
    [`}); throw { name: 'n', message: 'a'.repeat(1e6) }; (async () => {`],
    [`}); const e = new Error(''); e.name = 'n'.repeat(1e6); throw e; (async () => {`],
  ])('has an error of few characters, after %s', (code) => {
    const { error } = endOf(code) as { error: string };
    expect(error.length).toBeGreaterThan(10);
    expect(error.length).toBeLessThan(2_200);
  });

  it('prints within its limit', () => {
    const { printed } = run(
      'for (let i = 0; i < 500; i++) console.log("a".repeat(99), { i })',
    ).begin();
    expect(printed).toHaveLength(LIMITS.outputLength);
    expect(printed).toContain('{"i":1}');
  });
});

describe('time and random numbers', () => {
  const CODE = `const t = Date.now(), r = Math.random();
    const odd = new (new Date().constructor)().getTime();
    await tools.s.t();
    return [t, odd, new Date().getTime(), r, Math.random(), typeof performance]`;

  it('come from the log', () => {
    const values = [1, 2].map(() => {
      const program = run(CODE);
      program.begin();
      const { end } = program.give(0, { is: 'value', json: '1' }, 2_000);
      return JSON.parse((end as { json: string }).json) as unknown[];
    });
    expect(values[0]).toEqual(values[1]);
    expect(values[0]).toEqual([
      1_000,
      1_000,
      2_000,
      expect.any(Number),
      expect.any(Number),
      'undefined',
    ]);
    expect(values[0]![3]).not.toBe(values[0]![4]);
  });
});

describe('a placeholder', () => {
  const after = (code: string): Step => {
    const program = run(`const v = await tools.s.t(); ${code}`);
    program.begin();
    return program.give(0, { is: 'placeholder' }, 0);
  };

  it.each([
    ['v.a'],
    ['`${v}`'],
    ['v + 1'],
    ['"a" in v'],
    ['Object.keys(v)'],
    ['[...v]'],
    ['({ ...v })'],
    ['v.a = 1'],
    ['delete v.a'],
    ['v instanceof Object'],
    ['v == 1'],
    ['JSON.stringify({ v })'],
    ['Object.freeze(v)'],
    ['Object.getPrototypeOf(v)'],
    ['tools.s.u({ v })'],
    ['try { v.a } catch {}'],
    ['console.log(v)'],
    ['return v'],
  ])('stops the program at %s', (code) => {
    const step = after(`${code}; await tools.s.later(); return 1`);
    expect(step).toMatchObject({ hasStopped: true, calls: [] });
    expect(step.end).toBeUndefined();
  });

  it.each([['await v'], ['const l = [v]; l.length'], ['Promise.resolve(v)'], ['v === v'], ['!v']])(
    'may be passed on: %s',
    (code) => {
      const step = after(`${code}; tools.s.later()`);
      expect(step).toMatchObject({ hasStopped: false, calls: [{ tool: 's:later', json: '{}' }] });
    },
  );

  it('stops a program that replaced the functions of the engine', () => {
    const program = run(`
      const names = Object.getOwnPropertyNames;
      for (const of of [Reflect, JSON, Object, Function.prototype])
        for (const name of names(of)) try { of[name] = () => 1 } catch {}
      globalThis.Proxy = class {}; globalThis.Error = class {}; globalThis.String = () => 'x';
      const v = await tools.s.t({ a: 1 }); try { v.b } catch {}
      for (;;) tools.s.later()`);
    expect(program.begin().calls).toEqual([{ tool: 's:t', json: '{"a":1}' }]);
    expect(program.give(0, { is: 'placeholder' }, 0)).toMatchObject({
      hasStopped: true,
      calls: [],
    });
  });
});

describe('a hostile program', () => {
  it.each([
    ['loops', 'for (;;);', /more than 0.5 s/],
    ['loops and catches', 'for (;;) try { for (;;); } catch {}', /more than 0.5 s/],
    ['loops in promises', 'for (;;) await 0', /more than 0.5 s/],
    ['never ends a pattern', '/(a+)+$/.test("a".repeat(99) + "b")', /more than 0.5 s|failed/],
    ['floods', 'for (;;) tools.s.t()', /more than 10000 calls|more than 0.5 s/],
    ['floods and catches', 'for (;;) try { tools.s.t() } catch {}', /10000 calls|more than 0.5 s/],
    [
      'makes calls with much in them',
      'const x = "x".repeat(1e6); for (;;) tools.s.t({ x })',
      /more than 8 million characters|more than 0.5 s/,
    ],
    ['recurses', '(function f() { f() })()', /stack/],
    ['returns too much', 'return "x".repeat(20000)', /20002 characters; the limit is 10000/],
    ['returns a circle', 'const a = {}; a.a = a; return a', /circular/i],
    ['returns a function', 'return () => 1', undefined],
    ['imports', 'return await import("node:fs")', /.+/],
    ['passes a text as arguments', 'await tools.s.t("x")', /must be an object/],
    ['passes a big number', 'await tools.s.t({ a: 1n })', /BigInt/],
    ['breaks out of its function', '}); (async () => { globalThis.x = 1', /.*/],
  ])('%s', (_, code, error) => {
    let said: string | undefined;
    try {
      const end = endOf(code, { computeMs: 500 });
      said = end && 'error' in end ? end.error : undefined;
    } catch (broken) {
      said = (broken as Error).message;
    }
    if (error) expect(said ?? '').toMatch(error);
    else expect(said).toBeUndefined();
  });

  it.each([
    ['array buffers', 'const a = []; for (;;) a.push(new Uint8Array(1e6))'],
    ['one array buffer', 'new Uint8Array(1e9)'],
    ['objects', 'const a = []; for (;;) a.push({})'],
    ['texts', 'const a = []; for (let i = 0; ; i++) a.push("x".repeat(1000) + i)'],
    ['a text of 50 MB', 'return "x".repeat(50e6)'],
  ])('that needs more than its memory for %s is ended', (_, code) => {
    expect(endOf(code)).toEqual({
      error: expect.stringMatching(/memory|more than 24 MB|limit is 10000/),
    });
    const { byteLength } = engine.getWasmMemory().buffer;
    expect(byteLength).toBeLessThanOrEqual(MEMORY_BYTES);
  });

  it.each([
    ['process'],
    ['require'],
    ['fetch'],
    ['setTimeout'],
    ['WebAssembly'],
    ['Atomics'],
    ['SharedArrayBuffer'],
    ['XMLHttpRequest'],
    ['globalThis.host'],
  ])('finds no %s', (name) => {
    expect(endOf(`return typeof ${name}`)).toEqual({ json: '"undefined"' });
  });

  it.each([
    ['tools.s = 1'],
    ['tools.s.t = 1'],
    ['globalThis.tools = {}'],
    ['delete globalThis.tools'],
    ['globalThis.call = 1'],
    ['Object.defineProperty(tools, "s", { value: 1 })'],
    ['Math.random = () => 1'],
    ['Date.now = () => 1'],
  ])('cannot change our functions: %s', (code) => {
    expect(endOf(code)).toEqual({ error: expect.stringMatching(/TypeError/) });
  });

  it('leaves nothing behind for the next one', () => {
    expect(endOf('globalThis.left = 1; Array.prototype.x = 1; return 1')).toEqual({ json: '1' });
    expect(endOf('return [typeof left, [].x === undefined]')).toEqual({
      json: '["undefined",true]',
    });
  });
});
