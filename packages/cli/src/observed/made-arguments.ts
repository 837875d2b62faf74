/** Makes arguments for a tool from its schema, so that it can be called without knowing it. */

import { isRecord } from '@callsign/config';

/** A schema may refer to itself. */
const DEEPEST = 6;

/** As JSON text. Only what is required is filled in. */
export function madeArguments(schema: unknown): string {
  const made = sampleOf(schema, '', schema, 0);
  return JSON.stringify(isRecord(made) ? made : {});
}

function sampleOf(schema: unknown, name: string, root: unknown, depth: number): unknown {
  if (!isRecord(schema) || depth > DEEPEST) return 'example';
  const stated = statedValue(schema);
  if (stated !== undefined) return stated;
  const { $ref: link, anyOf, oneOf, allOf, type } = schema;
  if (typeof link === 'string') return sampleOf(linked(link, root), name, root, depth + 1);
  for (const choice of [anyOf, oneOf, allOf]) {
    if (Array.isArray(choice) && choice.length > 0) {
      const fitting = choice.find((each) => !isRecord(each) || each['type'] !== 'null') as unknown;
      return sampleOf(fitting, name, root, depth + 1);
    }
  }
  const kind: unknown = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  if (kind === 'object' || isRecord(schema['properties'])) return objectOf(schema, root, depth);
  if (kind === 'array') {
    const isNeeded = typeof schema['minItems'] === 'number' && schema['minItems'] > 0;
    return isNeeded || depth === 1 ? [sampleOf(schema['items'], name, root, depth + 1)] : [];
  }
  if (kind === 'boolean') return false;
  if (kind === 'integer' || kind === 'number') {
    const { minimum, exclusiveMinimum } = schema;
    if (typeof minimum === 'number') return Math.max(minimum, minimum > 0 ? minimum : 1);
    return typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1;
  }
  return textOf(schema, name);
}

function statedValue({
  const: constant,
  default: standard,
  examples,
  enum: values,
}: Record<string, unknown>): unknown {
  if (constant !== undefined) return constant;
  if (standard !== undefined) return standard;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  return Array.isArray(values) && values.length > 0 ? values[0] : undefined;
}

function objectOf(schema: Record<string, unknown>, root: unknown, depth: number): object {
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required.filter((each) => typeof each === 'string') : [];
  const known = isRecord(properties) ? properties : {};
  return Object.fromEntries(
    names.map((name) => [name, sampleOf(known[name], name, root, depth + 1)]),
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'https://example.com/',
  url: 'https://example.com/',
  email: 'ada@example.com',
  date: '2026-01-15',
  'date-time': '2026-01-15T10:00:00Z',
  time: '10:00:00',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** By its format, else by its name. */
function textOf({ format }: Record<string, unknown>, name: string): string {
  const known = typeof format === 'string' ? FORMATS[format] : undefined;
  if (known !== undefined) return known;
  if (/url|uri|link|website/i.test(name)) return FORMATS['uri']!;
  if (/path|file|dir|folder|cwd|repo/i.test(name)) return '.';
  if (/date/i.test(name)) return FORMATS['date']!;
  return 'example';
}

/** Only links inside of the schema are followed. */
function linked(link: string, root: unknown): unknown {
  if (!link.startsWith('#/')) return undefined;
  return link
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, part) =>
        isRecord(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined,
      root,
    );
}
