/** Holds a value against a schema, and says what is wrong in our words, at its place in the file. */

import { getNodePath, type Node } from 'jsonc-parser';
import * as z from 'zod';

import { memberOf, nodeAt } from './json-node.js';
import { didYouMean } from './nearest-word.js';
import type { ProblemLog } from './problem-log.js';

type Issue = z.core.$ZodIssue;
type Path = (string | number)[];

/** The part of a JSON Schema that advice is made of. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

interface Subject {
  readonly shape: Shape;
  readonly node: Node;
  readonly log: ProblemLog;
}

/** The value as the schema reads it; nothing, and a problem for each fault, if it does not fit. */
export function checkValue<T>(
  schema: z.ZodType<T>,
  value: unknown,
  node: Node,
  log: ProblemLog,
): T | undefined {
  // Read once: compiling the schema first would take longer than all the rest.
  const parsed = schema.safeParse(value, { error: sentence, jitless: true });
  if (parsed.success) return parsed.data;
  const shape = z.toJSONSchema(schema, { io: 'input' }) as Shape;
  for (const issue of parsed.error.issues) logIssue(issue, [], { shape, node, log });
  return undefined;
}

function logIssue(issue: Issue, base: Path, subject: Subject): void {
  const { node, log } = subject;
  const path = [...base, ...(issue.path as Path)];
  const meant = issue.code === 'invalid_union' ? meantBranch(issue.errors) : undefined;
  if (meant) {
    for (const inner of meant) logIssue(inner, path, subject);
  } else if (issue.code === 'unrecognized_keys') {
    logUnknownKeys(issue.keys, path, subject);
  } else {
    const at = nodeAt(node, path);
    const advice = adviceFor(issue, path, subject);
    const code = issue.code === 'invalid_type' ? 'wrong-type' : 'wrong-value';
    if (at === undefined) {
      log.problem('missing-key', missingPlace(path, node), 'is missing', advice);
    } else if (!log.hasProblemAt(at)) log.problem(code, at, issue.message, advice);
  }
}

/** Of several allowed forms, the only one whose outer type fits is the one that was meant. */
function meantBranch(branches: readonly Issue[][]): Issue[] | undefined {
  const isOuter = ({ code, path }: Issue): boolean =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
  const fitting = branches.filter((issues) => !issues.some(isOuter));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function logUnknownKeys(keys: readonly string[], path: Path, { shape, node, log }: Subject): void {
  const known = formsOf(shapeAt(shape, path)).flatMap((form) => Object.keys(form.properties ?? {}));
  for (const key of keys) {
    const { keyNode } = memberOf(nodeAt(node, path), key)!;
    const advice = didYouMean(key, known, `known here: ${known.join(', ')}`);
    log.problem('unknown-key', keyNode, 'is not a known setting', advice);
  }
}

/** What is missing has no place of its own; it is missing where its object starts. */
function missingPlace(path: Path, node: Node): { offset: number; path: Path } {
  const { offset } = nodeAt(node, path.slice(0, -1))!;
  return { offset, path: [...getNodePath(node), ...path] };
}

function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return 'is not one of the known words';
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

function adviceFor(issue: Issue, path: Path, { shape, node }: Subject): string {
  if (issue.code === 'custom') return String(issue.params?.['advice']);
  const { enum: words, examples: [example] = [] } = shapeAt(shape, path) ?? {};
  if (words) {
    const written: unknown = nodeAt(node, path)?.value;
    const all = `write ${choice(words.map((word) => JSON.stringify(word)))}`;
    return typeof written === 'string' ? didYouMean(written, words, all) : all;
  }
  const key = path.at(-1);
  const value = JSON.stringify(example);
  return `write ${typeof key === 'string' ? `${JSON.stringify(key)}: ${value}` : value}`;
}

/** The part of the schema that speaks of this path; where several forms are allowed, the one that has it. */
function shapeAt(shape: Shape | undefined, [key, ...rest]: Path): Shape | undefined {
  if (shape === undefined || key === undefined) return shape;
  for (const form of formsOf(shape)) {
    const next =
      typeof key === 'number' ? form.items : (form.properties?.[key] ?? form.additionalProperties);
    if (next) return shapeAt(next, rest);
  }
  return undefined;
}

function formsOf(shape: Shape | undefined): Shape[] {
  return shape ? [shape, ...(shape.anyOf ?? [])] : [];
}

/** Made when it is needed: its first use takes longer than reading a whole configuration. */
function choice(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(words);
}
