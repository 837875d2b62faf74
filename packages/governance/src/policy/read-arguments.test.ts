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
