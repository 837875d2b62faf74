import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { type Circumstances, compileExpression, type Expression, failureOf } from './expression.js';
import { readArguments } from './read-arguments.js';

const CIRCUMSTANCES: Omit<Circumstances, 'args'> = {
  tool: { server: 'github', name: 'delete_repo', risk: 'destructive', title: 'Delete' },
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  caller: { name: 'ann', roles: ['admin', 'dev'], client: 'cursor' },
};

function compiled(text: string): Expression {
  const result = compileExpression(text);
  if (!result.ok) throw new Error(`${result.message}; ${result.advice}`);
  return result.expression;
}

const holds = (text: string, args: string): boolean => {
  const read = readArguments(`{"arguments":${args}}`, 1_000_000);
  return compiled(text).holds({ ...CIRCUMSTANCES, args: read });
};

describe('an expression', () => {
  it.each([
    ['tool.server == "github" && tool.risk == "destructive"', '{}'],
    ['tool.name.startsWith("delete_") && tool.title == "Delete"', '{}'],
    ['annotations.destructive && !annotations.readOnly', '{}'],
    ['"admin" in caller.roles && caller.name == "ann" && caller.client == "cursor"', '{}'],
    ['args.path.startsWith("/etc")', '{"path":"/etc/passwd"}'],
    ['args.path.glob("/home/*/secrets/*")', '{"path":"/home/ann/secrets/x"}'],
    ['has(args.force) && args.force', '{"force":true}'],
    ['!has(args.force)', '{}'],
    ['args.count > 10 && args.count < 1e3', '{"count":11}'],
    ['args.ratio > 0.5 && args.ratio <= 1', '{"ratio":0.75}'],
    ['args.id == 9007199254740993', '{"id":9007199254740993}'],
    ['args.files.exists(f, f.endsWith(".env"))', '{"files":["a",".env"]}'],
    ['args.o.list[1].k == null', '{"o":{"list":[1,{"k":null}]}}'],
    ['args.id == -9223372036854775807', '{"id":-9223372036854775807}'],
    ['args.id == 9223372036854775807', '{"id":9223372036854775807}'],
    ['args.id == 9223372036854775808.0', '{"id":9223372036854775808}'],
    ['args.id == 1e22', '{"id":10000000000000000000000}'],
    ['args["a b"] in ["x", "y"]', '{"a b":"y"}'],
    ['size(args) == 1', '{"a":1}'],
    // Names that are special in JavaScript are data.
    ['args.constructor == "c" && args.__proto__ == 1', '{"constructor":"c","__proto__":1}'],
    ['!has(args.toString) && !has(args.hasOwnProperty)', '{}'],
  ])('%s holds for %s', (text, args) => {
    expect(holds(text, args)).toBe(true);
  });

  it.each([
    ['args.path.startsWith("/etc")', '{}', 'a key that it reads is missing; check has(…) first'],
    ['args.path.startsWith("/etc")', '{"path":5}', 'a value that it reads has another type'],
    ['args.path', '{"path":"secret"}', 'neither true nor false'],
    [
      'args[args.secret] == 1',
      '{"secret":"hunter2"}',
      'a key that it reads is missing; check has(…) first',
    ],
    ['int(args.n) == 1', '{"n":"hunter2"}', 'int conversion error'],
  ])('%s has no result for %s, and the reason does not quote the arguments', (text, args, why) => {
    let reason = '';
    try {
      holds(text, args);
    } catch (error) {
      reason = failureOf(error);
    }
    expect(reason).toBe(why);
  });

  it('says what it depends on', () => {
    expect([...compiled('tool.risk == "read"').reads]).toEqual(['tool']);
    expect([...compiled('args.a == caller.name').reads]).toEqual(['caller', 'args']);
    expect([...compiled('["a"].exists(x, x == args.a)').reads]).toEqual(['args']);
    expect([...compiled('has(args.a)').reads]).toEqual(['args']);
    expect([...compiled('annotations.readOnly').reads]).toEqual(['annotations']);
    expect([...compiled('size([tool.name, caller.name]) == 2').reads]).toEqual(['tool', 'caller']);
    expect([...compiled('true').reads]).toEqual([]);
  });

  it.each([
    'args.a.filter(x, x == 1).map(y, y).exists(z, z == 2)',
    'args.a.all(x, x == 1) && args.b.all(y, y == 2)',
    '[1, 2].exists(x, args.path.glob("/etc/*") && size(args.path) == x)',
    `tool.name == "${'x'.repeat(985)}"`,
  ])('%.60s is cheap enough', (text) => {
    expect(compileExpression(text).ok).toBe(true);
  });

  it('keeps its text', () => {
    expect(compiled('tool.risk == "read"').text).toBe('tool.risk == "read"');
  });

  it('fails for another reason without its words', () => {
    expect(failureOf(new Error('hunter2'))).toBe('it failed');
  });

  it('matches each glob by its own pattern', () => {
    const text = 'args.a.glob("x*") && args.b.glob("y*") && !args.b.glob("x*")';
    expect(holds(text, '{"a":"x1","b":"y1"}')).toBe(true);
    expect(holds(text, '{"a":"y1","b":"y1"}')).toBe(false);
    expect(holds(text, '{"a":"x1","b":"x1"}')).toBe(false);
  });

  it('with a loop accepts shorter arguments, since it may search them at each step', () => {
    const plain = compiled('args.a == "x"').maxArguments;
    for (const loop of [
      'args.a.all(x, x == args.b)',
      'args.a.exists(x, x == args.b)',
      'args.a.exists_one(x, x == args.b)',
      'args.a.map(x, x) == []',
      'args.a.filter(x, x == args.b) == []',
      'cel.bind(a, args.t, a + a == "")',
    ]) {
      expect([loop, compiled(loop).maxArguments]).toEqual([loop, 16 * 1024]);
    }
    expect(plain).toBe(1024 * 1024);
  });
});

describe('a wrong expression', () => {
  it.each([
    ['1 +', 'Unexpected token: EOF at character 4', 'write CEL over'],
    ['tool.rsik == "read"', 'No such key: rsik at character 6', 'write CEL over'],
    ['arg.path == "x"', 'Unknown variable: arg at character 1', 'write CEL over'],
    ['tool.name', 'is a string, not true or false', 'compare it'],
    ['1 + 1', 'is an int, not true or false', 'compare it'],
    ['args.path.matches("(a+)+$")', 'run forever', 'use glob("/etc/*")'],
    ['matches(args.path, "a")', 'run forever', 'use glob("/etc/*")'],
    ['args.a.exists(x, args.b.all(y, x == y))', 'all() inside another loop', 'several rules'],
    ['cel.bind(a, args.t + args.t, cel.bind(b, a + a, b == ""))', 'bind() inside', 'several rules'],
    ['args.a.map(x, args.a.filter(y, y == x)) == []', 'filter() inside', 'several rules'],
    ['args.a.exists(x, [1].map(y, y) == [x])', 'map() inside another loop', 'several rules'],
    ['args.a.exists(x, x.all(y, y == 1).exists_one(z, z))', 'inside another loop', 'several rules'],
    ['!(args.a == 1 || [args.b.matches("a")] == [])', 'run forever', 'use glob("/etc/*")'],
    ['args.path.glob()', 'glob() whose pattern is not a literal', 'glob("/etc/*")'],
    ['args.path.glob("a" + "b")', 'glob() whose pattern is not a literal', 'glob("/etc/*")'],
    ['[1]', 'is a list', 'compare it'],
    [
      `tool.name == "${'x'.repeat(986)}"`,
      'has 1001 characters; the limit is 1000',
      'several rules',
    ],
    ['args.path.glob(args.glob)', 'glob() whose pattern is not a literal', 'glob("/etc/*")'],
    [`tool.name == "${'x'.repeat(1_000)}"`, 'has 1015 characters', 'several rules'],
    [`${'('.repeat(100)}true${')'.repeat(100)}`, 'is not a valid expression', 'write CEL over'],
    [
      Array.from({ length: 160 }, () => 'true').join('||'),
      'is not a valid expression',
      'write CEL over',
    ],
    ['', 'Unexpected token', 'write CEL over'],
  ])('%.40s is reported with the reason', (text, message, advice) => {
    const result = compileExpression(text);
    expect(result).toEqual({
      ok: false,
      message: expect.stringContaining(message),
      advice: expect.stringContaining(advice),
    });
  });
});

describe('the cost of an expression', () => {
  it('stays in proportion to the text, where a regular expression would not', () => {
    const hostile = `{"path":"${'a'.repeat(900_000)}!"}`;
    expect(withoutHanging(() => holds('args.path.glob("*a*a*a*a*b")', hostile))).toBe(false);
  });
});
