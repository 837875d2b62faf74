/**
 * `has(e.f)` that fails if `e` is not an object. As it is in the library, it would be false for a text
 * or a list, so a caller could avoid a rule about `e.f` with a value that the server still accepts.
 */

import { isObject } from '@callsign/core';
import type { ASTNode, Environment } from '@marcbachmann/cel-js';

import { childrenOf, calledIn } from './ast.js';
import { cel } from './cel.js';

/** Not a name that a condition can use: it is known only where rewritten conditions are parsed. */
const CHECK = 'mustBeObject';

/** Adds to each `has(e.f)` of a valid expression a check that `e` is an object. */
export function withStrictHas(text: string, ast: ASTNode): string {
  const checks = hasIn(ast).toSorted((a, b) => b.start - a.start);
  return checks.reduce((rest, { start, end, object }) => {
    const check = `(${rest.slice(start, end)} || !${CHECK}(${object}))`;
    return rest.slice(0, start) + check + rest.slice(end);
  }, text);

  function hasIn(node: ASTNode): { start: number; end: number; object: string }[] {
    const inner = childrenOf(node).flatMap(hasIn);
    const [field] = node.op === 'call' && calledIn(node) === 'has' ? node.args[1] : [];
    if (field?.op !== '.') return inner;
    const [{ start, end }] = field.args;
    return [...inner, { start: node.start, end: node.end, object: text.slice(start, end) }];
  }
}

/** Makes an environment know the check. */
export function knowStrictHas(environment: Environment): Environment {
  return environment.registerFunction(`${CHECK}(dyn): bool`, (value: unknown) => {
    if (isObject(value)) return true;
    const message = 'has() of a value that is not an object';
    throw new (cel().EvaluationError)({ code: 'no_such_overload', message });
  });
}
