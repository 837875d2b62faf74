/**
 * Checks a value against a schema and reports each problem in our own words, at its place in the
 * document.
 */

import * as z from 'zod';

import { didYouMean } from './nearest-word.js';
import type { Path } from './problem.js';
import { createSchemaShape, type SchemaShape, type ValueAt } from './schema-shape.js';

type Issue = z.core.$ZodIssue;

type SchemaProblemCode = 'unknown-key' | 'missing-key' | 'wrong-type' | 'wrong-value';

type Report = (code: SchemaProblemCode, path: Path, message: string, advice: string) => void;

/** A document that knows the places of its parts. JSON and other formats implement it. */
export interface CheckedDocument {
  readonly valueAt: ValueAt;
  readonly hasProblemAt: (path: Path) => boolean;
  /** Reports at a value. A missing value is reported at the object around it. */
  readonly report: Report;
  /** Reports at a key instead of its value. */
  readonly reportKey: Report;
}

/** How people write such a document. Messages and advice use it. */
export interface Notation {
  /** The word for a key, such as `setting`. */
  readonly key: string;
  /** The word for a string. */
  readonly string: string;
  word(word: unknown): string;
  member(key: string, example: string): string;
}

interface Check {
  readonly document: CheckedDocument;
  readonly notation: Notation;
  readonly shape: SchemaShape;
}

/** For schemas that are used a few times. Compiling them takes longer than everything else. */
export const WITHOUT_COMPILING = { jitless: true } as const;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** The parsed value, or `undefined` if it does not fit; then every problem is reported. */
export function checkSchema<T>(
  schema: z.ZodType<T>,
  value: unknown,
  document: CheckedDocument,
  notation: Notation,
): T | undefined {
  const error = (issue: z.core.$ZodRawIssue): string | undefined => sentence(issue, notation);
  const parsed = schema.safeParse(value, { error, ...WITHOUT_COMPILING });
  if (parsed.success) return parsed.data;
  const shape = createSchemaShape(jsonSchemaOf(schema), document.valueAt);
  for (const issue of parsed.error.issues) reportIssue(issue, [], { document, notation, shape });
  return undefined;
}

const jsonSchemas = new WeakMap<z.ZodType, z.core.JSONSchema.JSONSchema>();

/** Written once for each schema, because that takes much longer than a check. */
function jsonSchemaOf(schema: z.ZodType): z.core.JSONSchema.JSONSchema {
  let json = jsonSchemas.get(schema);
  if (!json) jsonSchemas.set(schema, (json = z.toJSONSchema(schema, { io: 'input' })));
  return json;
}

function reportIssue(issue: Issue, base: Path, check: Check): void {
  const { document, shape } = check;
  const path = [...base, ...(issue.path as Path)];
  const intended = issue.code === 'invalid_union' ? intendedForm(issue.errors) : undefined;
  if (intended) {
    for (const inner of intended) reportIssue(inner, path, check);
  } else if (issue.code === 'unrecognized_keys') {
    reportUnknownKeys(issue.keys, path, check);
  } else if (document.hasProblemAt(path)) {
    return;
  } else if (document.valueAt(path) === undefined) {
    document.report('missing-key', path, 'is missing', adviceFor(issue, path, check));
  } else if (issue.code === 'invalid_key') {
    const [example = ''] = Object.keys(Object(shape.exampleAt(path.slice(0, -1))));
    const message = issue.issues[0]?.message ?? issue.message;
    const advice = `write it like ${JSON.stringify(example)}`;
    document.reportKey('wrong-value', path, message, advice);
  } else {
    const code = issue.code === 'invalid_type' ? 'wrong-type' : 'wrong-value';
    document.report(code, path, issue.message, adviceFor(issue, path, check));
  }
}

/**
 * The form of a union that the author meant: the only one whose outer type fits. `undefined`:
 * unclear.
 */
function intendedForm(forms: readonly Issue[][]): Issue[] | undefined {
  const isOuter = ({ code, path }: Issue): boolean =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
  const fitting = forms.filter((issues) => !issues.some(isOuter));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function reportUnknownKeys(keys: readonly string[], path: Path, check: Check): void {
  const { document, notation, shape } = check;
  const known = shape.keysAt(path);
  for (const key of keys) {
    const advice = didYouMean(key, known, `known here: ${known.join(', ')}`);
    const message = `is not a known ${notation.key}`;
    document.reportKey('unknown-key', [...path, key], message, advice);
  }
}

function sentence(issue: z.core.$ZodRawIssue, notation: Notation): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const { expected } = issue;
      return `must be ${expected === 'string' ? notation.string : (TYPE_NAMES[expected] ?? expected)}`;
    }
    case 'invalid_union':
    case 'invalid_value':
      return 'is not one of the known words';
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `must be at least ${issue.minimum}`
        : 'must not be empty';
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

function adviceFor(issue: Issue, path: Path, { document, notation, shape }: Check): string {
  const own: unknown = issue.code === 'custom' ? issue.params?.['advice'] : undefined;
  if (typeof own === 'string') return own;
  const words = shape.wordsAt(path);
  if (words.length > 0) {
    const written = document.valueAt(path);
    const all = `write ${choice(words.map((word) => notation.word(word)))}`;
    return typeof written === 'string' ? didYouMean(written, words.map(String), all) : all;
  }
  const example = JSON.stringify(shape.exampleAt(path));
  const key = path.at(-1);
  return `write ${typeof key === 'string' ? notation.member(key, example) : example}`;
}

/**
 * The formatter is created on demand: its first use takes longer than reading a whole
 * configuration.
 */
function choice(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(words);
}
