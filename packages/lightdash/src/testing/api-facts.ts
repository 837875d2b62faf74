/** What Lightdash's own API document says, as `scripts/record-lightdash.mjs` recorded it: types, checks and samples. */

import { readFileSync } from 'node:fs';

/** A type of the document. A name of a field that ends in `?` may be missing. */
export type ApiType =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'null'
  | 'object'
  | 'any'
  | { readonly enum: readonly (string | number)[] }
  | { readonly list: ApiType }
  | { readonly map: ApiType }
  | { readonly fields: Readonly<Record<string, ApiType>> }
  | { readonly oneOf: readonly ApiType[] };

/** One method of one path. */
export interface ApiRoute {
  readonly isDeprecated?: boolean;
  readonly query?: Readonly<Record<string, ApiType>>;
  readonly body?: ApiType;
  readonly results?: ApiType;
}

interface ApiFacts {
  /** The version of Lightdash. */
  readonly lightdash: string;
  readonly routes: Readonly<Record<string, ApiRoute>>;
}

export const FACTS = JSON.parse(
  readFileSync(new URL('lightdash-api.json', import.meta.url), 'utf8'),
) as ApiFacts;

/** The name of the route that a request means, such as `GET /api/v1/projects/{projectUuid}`. */
export function routeNameOf(method: string, path: string): string | undefined {
  const segments = path.split('/');
  const names = Object.keys(FACTS.routes).filter((name) => {
    const [verb, pattern = ''] = name.split(' ');
    const parts = pattern.split('/');
    return (
      verb === method &&
      parts.length === segments.length &&
      parts.every((part, index) => part.startsWith('{') || part === segments[index])
    );
  });
  // A word in the path counts more than a parameter.
  return names.toSorted((one, other) => one.split('{').length - other.split('{').length)[0];
}

/** Where a value differs from its type, as `place: what`. Fields that the document does not know differ too. */
export function differences(type: ApiType, value: unknown, place = ''): string[] {
  if (typeof type === 'string') {
    const isRight =
      type === 'any' ||
      (type === 'null' && value === null) ||
      (type === 'integer' && Number.isInteger(value)) ||
      (type === 'object' ? isObject(value) : typeof value === type);
    return isRight ? [] : [`${place}: not ${type}`];
  }
  if ('enum' in type) {
    return type.enum.includes(value as string) ? [] : [`${place}: not one of ${type.enum.join()}`];
  }
  if ('oneOf' in type) {
    const all = type.oneOf.map((each) => differences(each, value, place));
    return all.toSorted((one, other) => one.length - other.length)[0]!;
  }
  if ('list' in type) {
    return Array.isArray(value)
      ? value.flatMap((each) => differences(type.list, each, `${place}[]`))
      : [`${place}: not a list`];
  }
  if (!isObject(value)) return [`${place}: not an object`];
  const entries = Object.entries(value);
  if ('map' in type) {
    return entries.flatMap(([name, each]) => differences(type.map, each, `${place}.${name}`));
  }
  const { fields } = type;
  const missing = Object.keys(fields).filter((name) => !name.endsWith('?') && !(name in value));
  return [
    ...missing.map((name) => `${place}.${name}: missing`),
    ...entries.flatMap(([name, each]) => {
      const own = fields[name] ?? fields[`${name}?`];
      return own ? differences(own, each, `${place}.${name}`) : [`${place}.${name}: unknown`];
    }),
  ];
}

/** The UUID in all samples. */
export const SAMPLE_UUID = '11111111-1111-4111-8111-111111111111';

/** A value of the type, with every field. A list has one item of each type that it may have. */
export function sampleOf(type: ApiType, name = ''): unknown {
  if (typeof type === 'string') {
    const values = { string: 'text', any: 'text', number: 1, integer: 1, null: null, object: {} };
    if (type === 'boolean') return false;
    return type === 'string' && /uuid$/i.test(name) ? SAMPLE_UUID : values[type];
  }
  if ('enum' in type) return type.enum[0];
  if ('oneOf' in type) return sampleOf(longest(type.oneOf), name);
  if ('map' in type) return { text: sampleOf(type.map) };
  if ('fields' in type) {
    const entries = Object.entries(type.fields).map(([key, each]): [string, unknown] => {
      const own = key.replace(/\?$/, '');
      return [own, sampleOf(each, own)];
    });
    return Object.fromEntries(entries);
  }
  const { list } = type;
  const kinds = typeof list === 'object' && 'oneOf' in list ? list.oneOf : [list];
  return kinds.map((each) => sampleOf(each, name));
}

/** The one that says most, so that a sample has as many fields as possible. */
function longest(types: readonly ApiType[]): ApiType {
  const size = (type: ApiType): number => (type === 'null' ? 0 : JSON.stringify(type).length);
  return types.toSorted((one, other) => size(other) - size(one))[0]!;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
