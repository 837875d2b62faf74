import { describe, expect, it } from 'vitest';

import { compileExpression } from './expression.js';
import { ArgumentsError, readArguments } from './read-arguments.js';

function holds(when: string, args: string): boolean {
  const compiled = compileExpression(when);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.expression.holds({ args: readArguments(`{"arguments":${args}}`, 10_000) });
}

const RULE = 'has(args.path) && args.path.startsWith("/etc/")';

describe('a rule on arguments', () => {
  it.each([
    ['{"path":"/etc/x"}'],
    ['{"Path":"/etc/x"}'],
    ['{"PATH":"/etc/x"}'],
    ['{"\\u0050ath":"/etc/x"}'],
    ['{"ｐａｔｈ":"/etc/x"}'],
  ])('V7: reads %s as a server does that ignores case', (args) => {
    expect(holds(RULE, args)).toBe(true);
    expect(holds('args["path"] == "/etc/x"', args)).toBe(true);
    expect(holds('"path" in args', args)).toBe(true);
    expect(holds('has(args.other)', args)).toBe(false);
  });

  it('V7: reads keys at every depth, with letters that fold to others', () => {
    expect(holds('args.a.list[0].secrets == 1', '{"A":{"LIST":[{"ſecretS":1}]}}')).toBe(true);
    expect(holds('args.token == 1', '{"to\u212Aen":1}')).toBe(true);
    expect(holds('args.strasse == 1', '{"stra\u00DFe":1}')).toBe(true);
    expect(holds('args["\u03AA\u0301"] == 1', '{"\u0390":1}')).toBe(true);
  });

  it('V7: refuses keys that fold to the key that it reads, at every depth', () => {
    const args = '{"a":{"path":"/tmp","Path":"/etc/x"},"b":1}';
    expect(() => holds('args.a.path.startsWith("/etc")', args)).toThrow(ArgumentsError);
    expect(() => holds('has(args.a.path) && args.a.path == "/tmp"', args)).toThrow(ArgumentsError);
    expect(holds('args.b == 1', args)).toBe(true);
    expect(() => holds('args.b == 1', '{"s":1,"ſ":2}')).toThrow(ArgumentsError);
  });

  it('V7: refuses a second set of arguments under a name that folds to theirs', () => {
    const params = '{"arguments":{"path":"/tmp"},"argumentſ":{"path":"/etc/x"}}';
    expect(() => readArguments(params, 1_000)).toThrow(ArgumentsError);
  });
});

describe('a rule with has()', () => {
  const rule = "has(args.opts.path) && args.opts.path == '/etc'";

  it.each([
    ['{"opts":"{\\"path\\":\\"/etc\\"}"}'],
    ['{"opts":[{"path":"/etc"}]}'],
    ['{"opts":5}'],
    ['{"opts":true}'],
    ['{"opts":null}'],
  ])('has no result if the value before the key is not an object: %s', (args) => {
    expect(() => holds(rule, args)).toThrow();
    expect(() => holds(`!(${rule})`, args)).toThrow();
  });

  it('has a result if that value is an object, and none if it is missing', () => {
    expect(holds(rule, '{"opts":{"path":"/etc"}}')).toBe(true);
    expect(holds(rule, '{"opts":{"Path":"/etc"}}')).toBe(true);
    expect(holds(rule, '{"opts":{"path":"/tmp"}}')).toBe(false);
    expect(holds(rule, '{"opts":{}}')).toBe(false);
    expect(() => holds(rule, '{}')).toThrow('No such key: opts');
    expect(holds('has(args.opts) && has(args.opts.path)', '{}')).toBe(false);
  });

  it('checks each element of a list', () => {
    const each = 'args.list.exists(x, has(x.path) && x.path == "/etc")';
    expect(holds(each, '{"list":[{},{"path":"/etc"}]}')).toBe(true);
    expect(() => holds(each, '{"list":["/etc"]}')).toThrow();
  });

  it('may be as long as any other', () => {
    const long = Array.from({ length: 50 }, () => 'has(args.a.b)').join('||');
    expect(holds(long, '{"a":{"b":1}}')).toBe(true);
    expect(holds(` ! has( (args.a) . c ) && !has(args.a.d)`, '{"a":{"b":1}}')).toBe(true);
  });
});

describe('a rule with a loop over keys', () => {
  it.each(['exists', 'all', 'exists_one', 'filter', 'map'])('is refused: %s', (loop) => {
    const when = `args.${loop}(k, k == 'force')${/map|filter/.test(loop) ? ' == []' : ''}`;
    expect(() => holds(when, '{"Force":1}')).toThrow('over the keys of args');
  });

  it('has no result if a value is an object and not a list', () => {
    const rule = `args.opts.exists(k, k == 'force')`;
    expect(holds(rule, '{"opts":["force"]}')).toBe(true);
    expect(() => holds(rule, '{"opts":{"Force":1}}')).toThrow(ArgumentsError);
    expect(() => holds(rule, '{"opts":{"force":1}}')).toThrow(ArgumentsError);
  });
});

describe('arguments', () => {
  const read = (json: string, most = 1_000) => readArguments(`{"arguments":${json}}`, most);

  it.each([
    ['1', 1n],
    ['-1', -1n],
    ['1.5', 1.5],
    ['1e3', 1000],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775807', -9223372036854775807n],
    // Not whole numbers of the language of conditions.
    ['9223372036854775808', 9223372036854775808],
    ['-9223372036854775808', -9223372036854775808],
    ['100000000000000000000', 1e20],
    ['"1"', '1'],
    ['true', true],
    ['null', null],
    ['[1,["a"],{}]', [1n, ['a'], expect.any(Map)]],
    ['[]', []],
  ])('with the value %s are read as %s', (json, value) => {
    expect(read(`{"a": ${json} }`).get('a')).toEqual(value);
    // Nothing of one value is left in the next.
    expect(read(`{"a":${json},"b":[{"c":2}]}`).get('b')).toEqual([new Map([['c', 2n]])]);
  });

  it('are none if the call has none', () => {
    expect(readArguments('{"name":"a"}', 10).size).toBe(0);
    expect(readArguments(' {} ', 10).size).toBe(0);
  });

  it('may be as long as the limit', () => {
    expect(read('{"a":1}', 7).size).toBe(1);
    expect(() => read('{"a":1}', 6)).toThrow('they have 7 characters, and a rule reads at most 6');
  });

  it.each([
    ['[1]', 'they are not an object'],
    ['null', 'they are not an object'],
    ['{"a":1,"a":1}', 'one key occurs twice'],
    ['{"a":1,"A":1}', 'two keys differ only in case'],
    ['{"a":[{"b":1,"b":2}]}', 'one key occurs twice'],
    ['{},"Arguments":{}', 'the request has "arguments" twice, or in another spelling'],
    ['{"a":1', 'they cannot be read'],
    ['{"a":tru}', 'they cannot be read'],
  ])('that are %s are not clear: %s', (json, why) => {
    expect(() => read(json)).toThrow(new ArgumentsError(why));
  });

  it('under another name are not clear', () => {
    expect(() => readArguments('{"Arguments":{}}', 10)).toThrow(ArgumentsError);
    expect(() => readArguments('nothing', 10)).toThrow(new ArgumentsError('they cannot be read'));
  });

  it('have at most 10,000 keys, at all depths and beside them', () => {
    const keys = (count: number) => {
      const members = Array.from({ length: count }, (_, i) => `"k${i}é":0`);
      return `{${members.join(',')}}`;
    };
    const most = 1_000_000;
    expect(read(keys(10_000), most).size).toBe(10_000);
    expect(() => read(keys(10_001), most)).toThrow('there are more than 10000 keys');
    const nested = `{"a":[${keys(5_000)},${keys(5_000)}]}`;
    expect(() => read(nested, most)).toThrow('there are more than 10000 keys');
    expect(() => readArguments(keys(10_001), most)).toThrow('there are more than 10000 keys');
  });

  it('have no key that is not a text', () => {
    const members = read('{"1":"a","":"b"}');
    for (const asked of [1n, 1, true, null] as unknown[] as string[]) {
      expect([members.has(asked), members.get(asked)]).toEqual([false, undefined]);
    }
    expect([members.get('1'), members.get('')]).toEqual(['a', 'b']);
  });
});
