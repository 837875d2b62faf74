/** Holds a document against its schema, and says what is wrong in our words, at its place in the file. */

import { editDistance } from '@callsign/naming';
import * as z from 'zod';

import type { Path } from './problem.js';
import type { WrittenDocument } from './written-document.js';

type Issue = z.core.$ZodIssue;

/** The part of a JSON Schema that advice is made of. */
interface Shape {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | false;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text; put it in quotes if it looks like a number',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** The document as the schema reads it; nothing, and a problem for each fault, if it does not fit. */
export function checkDocument<T>(schema: z.ZodType<T>, written: WrittenDocument): T | undefined {
  const parsed = schema.safeParse(written.value, { error: sentence });
  if (parsed.success) return parsed.data;
  const shape = z.toJSONSchema(schema, { io: 'input' }) as Shape;
  for (const issue of parsed.error.issues) reportIssue(issue, shape, written);
  return undefined;
}

function reportIssue(issue: Issue, root: Shape, written: WrittenDocument): void {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const known = formsOf(shapeAt(root, path, written.value), root).flatMap((form) =>
      Object.keys(form.properties ?? {}),
    );
    for (const key of issue.keys) {
      const advice = nearest(key, known) ?? `known here: ${known.join(', ')}`;
      written.reportKey('unknown-key', [...path, key], 'is not a known key', advice);
    }
    return;
  }
  if (written.hasProblemAt(path)) return;
  const advice = adviceFor(path, root, written.value);
  if (valueAt(written.value, path) === undefined) {
    written.report('missing-key', path, 'is missing', advice);
  } else if (issue.code === 'invalid_key') {
    const message = issue.issues[0]?.message ?? issue.message;
    written.reportKey('wrong-value', path, message, 'write it such as "berth_id"');
  } else {
    const code = issue.code === 'invalid_type' ? 'wrong-type' : 'wrong-value';
    written.report(code, path, issue.message, advice);
  }
}

function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
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

function adviceFor(path: Path, root: Shape, value: unknown): string {
  const shape = shapeAt(root, path, value);
  const words = wordsAt(root, path, value);
  if (words.length > 0) {
    const written = valueAt(value, path);
    const all = `write ${choice(words)}`;
    return typeof written === 'string' ? (nearest(written, words) ?? all) : all;
  }
  const example = JSON.stringify(formsOf(shape, root).find((form) => form.examples)?.examples?.[0]);
  const key = path.at(-1);
  return `write ${typeof key === 'string' ? `${key}: ${example}` : example}`;
}

/** The words that are allowed here; of several forms, those of all. */
function wordsAt(root: Shape, path: Path, value: unknown): string[] {
  const key = path.at(-1);
  if (typeof key !== 'string') return [];
  return formsOf(shapeAt(root, path.slice(0, -1), value), root).flatMap((form) => {
    const shape = resolved(form.properties?.[key], root);
    const words = shape?.enum ?? (shape && 'const' in shape ? [shape.const] : []);
    return words.map(String);
  });
}

/** `did you mean …?`, where one of the known words is near enough to be a slip of the finger. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 4));
  const distance = (candidate: string): number =>
    editDistance(word.slice(0, 64).toLowerCase(), candidate.toLowerCase(), limit);
  const [best] = known
    .filter((candidate) => distance(candidate) <= limit)
    .toSorted((a, b) => distance(a) - distance(b));
  return best === undefined ? undefined : `did you mean ${JSON.stringify(best)}?`;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );
}

/** The part of the schema that speaks of this path; of several forms, the one that the value means. */
function shapeAt(root: Shape, path: Path, value: unknown): Shape | undefined {
  let shape: Shape | undefined = root;
  let inner: unknown = value;
  for (const key of path) {
    const forms = formsOf(shape, root).toSorted(
      (a, b) => Number(fits(b, inner)) - Number(fits(a, inner)),
    );
    shape = undefined;
    for (const form of forms) {
      const open = form.additionalProperties === false ? undefined : form.additionalProperties;
      shape ??= typeof key === 'number' ? form.items : (form.properties?.[key] ?? open);
    }
    inner = valueAt(inner, [key]);
  }
  return resolved(shape, root);
}

/** Whether a form's fixed words are those of the value: `type: bearer` means the form for bearers. */
function fits(form: Shape, value: unknown): boolean {
  return Object.entries(form.properties ?? {}).every(
    ([key, { const: word }]) => word === undefined || valueAt(value, [key]) === word,
  );
}

function formsOf(shape: Shape | undefined, root: Shape): Shape[] {
  const known = resolved(shape, root);
  if (!known) return [];
  return [
    known,
    ...[...(known.anyOf ?? []), ...(known.oneOf ?? [])].map((form) => resolved(form, root)!),
  ];
}

function resolved(shape: Shape | undefined, root: Shape): Shape | undefined {
  const name = shape?.$ref?.split('/').at(-1);
  if (name === undefined) return shape;
  const { $ref: _, ...own } = shape!;
  return { ...root.$defs?.[name], ...own };
}

/** Made when it is needed: its first use takes longer than reading a whole configuration. */
function choice(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(words);
}
