/**
 * A rule's condition in CEL. It is checked completely when it is read, and it is cheap for any
 * call.
 */

import { createRequire } from 'node:module';

import { globMatcher, isObject } from '@callsign/core';
import type * as Cel from '@marcbachmann/cel-js';
import type { ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';

import type { Arguments } from './read-arguments.js';

// CEL is large, so it is loaded on first use: most configurations have no condition. Not by `import()`: reading a
// configuration is synchronous.
const load = createRequire(import.meta.url);
let loaded: typeof Cel | undefined;

function cel(): typeof Cel {
  return (loaded ??= load('@marcbachmann/cel-js') as typeof Cel);
}

/** The variables of an expression. */
export interface Circumstances {
  readonly tool: {
    readonly server: string;
    readonly name: string;
    readonly risk: string;
    readonly title: string;
  };
  readonly annotations: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
  readonly caller: {
    readonly name: string;
    readonly roles: readonly string[];
    readonly client: string;
  };
  readonly args: Arguments;
}

type Topic = keyof Circumstances;

/** A compiled condition. */
export interface Expression {
  readonly text: string;
  /** The variables that it uses. */
  readonly reads: ReadonlySet<Topic>;
  /** The longest arguments that it accepts, in characters of JSON. */
  readonly maxArguments: number;
  /** Throws if there is no result, for example if a key is missing. */
  holds(circumstances: Partial<Circumstances>): boolean;
}

export type CompiledExpression =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly message: string; readonly advice: string };

const MAX_TEXT = 1_000;
const LIMITS = {
  maxAstNodes: 250,
  maxDepth: 30,
  maxListElements: 100,
  maxMapEntries: 20,
  maxCallArguments: 8,
};
/** For a text that is within the limits and got checks for its `has()`. */
const REWRITTEN_LIMITS = { ...LIMITS, maxAstNodes: 2_000, maxDepth: 60 };

/** Characters of arguments. A loop may search them at each step, so it accepts fewer. */
const MAX_ARGUMENTS = 1024 * 1024;
const MAX_LOOPED_ARGUMENTS = 16 * 1024;

const LOOPS: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'map',
  'filter',
  // Not a loop, but it can double a text again and again.
  'bind',
]);

const KNOWN = 'tool, args, caller and annotations';

/** Compiled patterns. They are literals of the configuration, so there are few. */
const globs = new Map<string, (text: string) => boolean>();

interface Environments {
  /** For the text of the configuration. */
  readonly written: Environment;
  /** For the same text with strict `has()`. */
  readonly strict: Environment;
}

let environments: Environments | undefined;

/** Created for the first expression. Most configurations have none. */
function theEnvironments(): Environments {
  return (environments ??= {
    written: newEnvironment(LIMITS),
    strict: knowStrictHas(newEnvironment(REWRITTEN_LIMITS)),
  });
}

function newEnvironment(limits: typeof LIMITS): Environment {
  return new (cel().Environment)({ limits })
    .registerVariable({
      name: 'tool',
      schema: { server: 'string', name: 'string', risk: 'string', title: 'string' },
    })
    .registerVariable({
      name: 'annotations',
      schema: { readOnly: 'bool', destructive: 'bool', idempotent: 'bool', openWorld: 'bool' },
    })
    .registerVariable({
      name: 'caller',
      schema: { name: 'string', roles: 'list<string>', client: 'string' },
    })
    .registerVariable('args', 'map')
    .registerFunction('string.glob(string): bool', (text: string, glob: string) => {
      const matches = globs.get(glob) ?? globMatcher(glob);
      globs.set(glob, matches);
      return matches(text);
    });
}

/** Compiles an expression. Returns what is wrong with it instead of throwing. */
export function compileExpression(text: string): CompiledExpression {
  if (text.length > MAX_TEXT) {
    const message = `has ${text.length} characters; the limit is ${MAX_TEXT}`;
    return { ok: false, message, advice: 'split it into several rules' };
  }
  try {
    const parsed = theEnvironments().written.parse(text);
    const flaw = flawOf(parsed.ast, false);
    if (flaw) return { ok: false, ...flaw };
    const checked = parsed.check();
    if (!checked.valid) throw checked.error;
    if (checked.type !== 'bool' && checked.type !== 'dyn') {
      const message = `is ${withArticle(checked.type ?? 'value')}, not true or false`;
      return {
        ok: false,
        message,
        advice: 'compare it with something, as in tool.name == "search"',
      };
    }
    return { ok: true, expression: expressionOf(text, parsed) };
  } catch (error) {
    const { summary, range } = error as ParseError;
    const at = range ? ` at character ${range.start + 1}` : '';
    const message = `is not a valid expression: ${summary}${at}`;
    return { ok: false, message, advice: `write CEL over ${KNOWN}; see docs/policy.md` };
  }
}

function expressionOf(text: string, parsed: ReturnType<Environment['parse']>): Expression {
  const names = namesIn(parsed.ast);
  const isLooped = callsIn(parsed.ast).some((name) => LOOPS.has(name));
  const strict = theEnvironments().strict.parse(withStrictHas(text, parsed.ast));
  return {
    text,
    reads: new Set(
      (['tool', 'annotations', 'caller', 'args'] as const).filter((topic) => names.has(topic)),
    ),
    maxArguments: isLooped ? MAX_LOOPED_ARGUMENTS : MAX_ARGUMENTS,
    holds(circumstances) {
      const answer: unknown = strict(circumstances);
      if (typeof answer === 'boolean') return answer;
      throw new (cel().EvaluationError)({ code: 'neither_true_nor_false', message: text });
    },
  };
}

/**
 * Why an expression costs too much, could for some arguments, or could be avoided. `undefined`: it is
 * none of these.
 */
function flawOf(
  node: ASTNode,
  isInLoop: boolean,
): { readonly message: string; readonly advice: string } | undefined {
  const called = calledIn(node);
  if (called === 'matches') {
    return {
      message: 'uses matches(): some arguments can make a regular expression run forever',
      advice: 'use glob("/etc/*"), startsWith(), endsWith() or contains()',
    };
  }
  if (called === 'glob' && node.op === 'rcall' && node.args[2][0]?.op !== 'value') {
    return {
      message: 'has a glob() whose pattern is not a literal',
      advice: 'write it as in glob("/etc/*")',
    };
  }
  const isLoop = called !== undefined && LOOPS.has(called);
  if (isLoop && isInLoop) {
    return {
      message: `has ${called}() inside another loop`,
      advice: 'split it into several rules',
    };
  }
  // The range of a loop is evaluated before the loop.
  const receiver = node.op === 'rcall' ? node.args[1] : undefined;
  if (isLoop && receiver?.op === 'id' && receiver.args === 'args') {
    return {
      message: `has ${called}() over the keys of args: a server may read them without case`,
      advice: 'name each key, as in has(args.force)',
    };
  }
  for (const child of childrenOf(node)) {
    const flaw = flawOf(child, isInLoop || (isLoop && child !== receiver));
    if (flaw) return flaw;
  }
  return undefined;
}

function namesIn(node: ASTNode): Set<string> {
  const own = node.op === 'id' ? [node.args] : [];
  return new Set([...own, ...childrenOf(node).flatMap((child) => [...namesIn(child)])]);
}

function callsIn(node: ASTNode): string[] {
  return [calledIn(node) ?? [], ...childrenOf(node).map(callsIn)].flat();
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Why an expression had no result. Contains nothing of the arguments. */
export function failureOf(error: unknown): string {
  if (!(error instanceof cel().EvaluationError)) return 'it failed';
  if (error.code === 'no_such_key') return 'a key that it reads is missing; check has(…) first';
  if (error.code.endsWith('overload')) return 'a value that it reads has another type';
  return error.code.replaceAll('_', ' ');
}

/** Not a name that a condition can use: it is known only where rewritten conditions are parsed. */
const CHECK = 'mustBeObject';

/** Adds to each `has(e.f)` of a valid expression a check that `e` is an object. */
function withStrictHas(text: string, ast: ASTNode): string {
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
function knowStrictHas(environment: Environment): Environment {
  return environment.registerFunction(`${CHECK}(dyn): bool`, (value: unknown) => {
    if (isObject(value)) return true;
    const message = 'has() of a value that is not an object';
    throw new (cel().EvaluationError)({ code: 'no_such_overload', message });
  });
}

/** The name of the function that a node calls. */
function calledIn(node: ASTNode): string | undefined {
  return node.op === 'call' || node.op === 'rcall' ? node.args[0] : undefined;
}

function childrenOf(node: ASTNode): ASTNode[] {
  return [node.args as unknown].flat(3).filter(isNode);
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value;
}
