/** Values that a tool's own schema marks as secret: `format: password`, `writeOnly`. */

import { isObject } from '../json/is-object.js';

type Schema = Readonly<Record<string, unknown>>;

/** What the schema says about one value and its parts. Follow it along with the value. */
export interface SecretPlaces {
  readonly isSecret: boolean;
  /** For a member of an object. */
  at(key: string): SecretPlaces;
  /** For every element of a list. */
  readonly items: SecretPlaces;
}

/** The schema marks nothing as secret here. */
const NOWHERE_SECRET: SecretPlaces = {
  isSecret: false,
  at: () => NOWHERE_SECRET,
  get items() {
    return NOWHERE_SECRET;
  },
};

/** Alternatives and references beyond this number are not followed. */
const MAX_FORMS = 50;
const FORMS = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

/** Never throws: an unreadable schema marks nothing. */
export function secretPlaces(schemaJson: string | undefined): SecretPlaces {
  // Almost no schema has any, and a search is much cheaper than parsing.
  if (schemaJson === undefined || !/"(?:password|writeOnly)"/.test(schemaJson))
    return NOWHERE_SECRET;
  try {
    const root: unknown = JSON.parse(schemaJson);
    return placesIn([root], root);
  } catch {
    return NOWHERE_SECRET;
  }
}

function placesIn(schemas: readonly unknown[], root: unknown): SecretPlaces {
  const forms = formsOf(schemas, root);
  if (forms.length === 0) return NOWHERE_SECRET;
  return {
    isSecret: forms.some(({ format, writeOnly }) => format === 'password' || writeOnly === true),
    at: (key) =>
      placesIn(
        forms.flatMap((form) => membersFor(form, key)),
        root,
      ),
    get items() {
      return placesIn(
        forms.flatMap(({ items, prefixItems }) => [items, prefixItems].flat()),
        root,
      );
    },
  };
}

/** The schemas with all their alternatives, each once. */
function formsOf(schemas: readonly unknown[], root: unknown): Schema[] {
  const forms = new Set<Schema>();
  const waiting = [...schemas];
  while (waiting.length > 0 && forms.size < MAX_FORMS) {
    const schema = waiting.shift();
    if (!isObject(schema) || forms.has(schema)) continue;
    forms.add(schema);
    waiting.push(...FORMS.flatMap((key) => own(schema, key)));
    const reference = own(schema, '$ref');
    if (typeof reference === 'string') waiting.push(referred(reference, root));
  }
  return [...forms];
}

/** A reference within the schema, such as `#/$defs/key`. */
function referred(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return undefined;
  return reference
    .slice(1)
    .split('/')
    .slice(1, 20)
    .map((word) => word.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, word) => (isObject(value) ? own(value, word) : undefined), root);
}

function membersFor(form: Schema, key: string): unknown[] {
  const properties = own(form, 'properties');
  const named = isObject(properties) ? own(properties, key) : undefined;
  if (named !== undefined) return [named];
  const patterns = own(form, 'patternProperties');
  // Patterns are not evaluated: a server's pattern may take forever.
  return [
    own(form, 'additionalProperties'),
    ...(isObject(patterns) ? Object.values(patterns) : []),
  ];
}

function own(value: Schema, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
