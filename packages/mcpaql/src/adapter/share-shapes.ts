/**
 * Gives repeated shapes of a large adapter a name, so that each is written once. Inverse of
 * `linkShapes`.
 */

import { createHash } from 'node:crypto';

import type { PropertyShape, ValueShape } from './adapter-document.js';
import { type LegalName, type NamedContent, shapeNames } from './shape-names.js';
import { SCHEMA_NAME, VALUE_KEYS } from './value-keys.js';

/** Shapes by name. */
export type Shapes = Readonly<Record<string, ValueShape>>;

/** Empty `shapes`: nothing was worth sharing, and the roots are unchanged. */
export interface Shared<S> {
  /** The shapes with references, in the order of the roots. */
  readonly roots: readonly S[];
  readonly shapes: Shapes;
}

/** Characters. Smaller adapters share no shapes, because they are easier to read without. */
const LARGE = 1_000_000;
/** For shorter shapes a reference saves nothing. */
const SHORTEST = 80;
/** Digits of the hash that are kept, of 64. */
const PRINT_LENGTH = 32;
/** Keys that stay where a shape is used and do not become part of the named shape. */
const OF_PLACE = ['description', 'required', 'nullable'] as const;
/** Everything that decides which values are valid. Other keys belong to a parameter. */
const OF_VALUE: ReadonlySet<string> = new Set(['type', ...VALUE_KEYS]);

interface Content extends NamedContent {
  readonly shape: ValueShape;
  /** Its number of characters when written in full. */
  readonly size: number;
  readonly schemas: Set<string>;
  readonly keys: Set<string>;
  /** How many places refer to it, if every shape is written once. */
  places: number;
}

/** How shapes are named. Unset: by a hash of their content. */
export interface ShareOptions {
  /** Shapes that keep their names, such as those of the earlier file. */
  readonly known?: Shapes;
  /** The names of the roots, in their order. */
  readonly keys?: readonly string[];
  /** Makes names from those of schemas and keys. */
  readonly legalName?: LegalName;
}

/** No shape may have references yet. */
export function shareShapes<S extends ValueShape>(
  roots: readonly S[],
  { known = {}, keys = [], legalName }: ShareOptions = {},
): Shared<S> {
  const contents = new Map<string, Content>();
  const prints = new WeakMap<object, string>();
  let size = 0;
  const names = new Map<string, string>();
  const meanings = new Map<string, string | undefined>();
  for (const [name, shape] of Object.entries(known)) {
    names.set(printOf(shape), name);
    meanings.set(name, shape.description);
  }
  for (const shape of roots) size += contents.get(printOf(shape))!.size;
  if (size < LARGE && names.size === 0) return { roots, shapes: {} };
  for (const [i, shape] of roots.entries()) countPlaces(shape, keys[i]);

  const all = [...contents.values()];
  const taken = all.flatMap(({ places, print }) => (places > 0 ? (names.get(print) ?? []) : []));
  const unnamed = all.filter((content) => isShared(content) && !names.has(content.print));
  for (const [print, name] of shapeNames(unnamed, taken, legalName)) names.set(print, name);
  const written = new Map<string, ValueShape>();
  const shared = roots.map(reference);
  const sorted = [...written].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { roots: shared, shapes: Object.fromEntries(sorted) };

  /** Equal shapes have equal keys. */
  function printOf(shape: ValueShape): string {
    return prints.get(shape) ?? newPrint(shape);
  }

  function newPrint(shape: ValueShape): string {
    let length = 0;
    const inner = (part: PropertyShape): unknown => {
      const print = printOf(part);
      length += contents.get(print)!.size + (part.description?.length ?? 0);
      return [print, ...OF_PLACE.map((place) => part[place] ?? null)];
    };
    const content = Object.entries(shape).flatMap(([key, value]: [string, unknown]) => {
      if (!OF_VALUE.has(key) || value === undefined) return [];
      if (key === 'items') return [[key, inner(value as ValueShape)]];
      if (key === 'one_of') {
        return [[key, (value as ValueShape[]).map(inner)]];
      }
      if (key !== 'properties') return [[key, value]];
      const parts = Object.entries(value as Record<string, PropertyShape>);
      return [[key, parts.map(([name, part]) => [name, inner(part)])]];
    });
    const text = JSON.stringify(content);
    const print = createHash('sha256').update(text).digest('hex').slice(0, PRINT_LENGTH);
    prints.set(shape, print);
    if (!contents.has(print)) {
      const { type } = shape;
      const found = { shape, print, type, size: text.length + length, places: 0 };
      contents.set(print, { ...found, schemas: new Set(), keys: new Set() });
    }
    return print;
  }

  /** `key`: the name of the place. */
  function countPlaces(shape: ValueShape, key: string | undefined): void {
    const content = contents.get(prints.get(shape)!)!;
    const schema = shape[SCHEMA_NAME];
    if (schema !== undefined) content.schemas.add(schema);
    if (key !== undefined) content.keys.add(key);
    if (content.places++ > 0) return;
    const { items, one_of = [], properties = {} } = content.shape;
    if (items) countPlaces(items, key === undefined ? undefined : `${key}_item`);
    for (const form of one_of) countPlaces(form, key === undefined ? undefined : `${key}_form`);
    for (const [name, part] of Object.entries(properties)) countPlaces(part, name);
  }

  function isShared({ print, places, size: length }: Content): boolean {
    return names.has(print) || (places > 1 && length >= SHORTEST);
  }

  /** The shape as written at its place. */
  function reference<T extends ValueShape>(shape: T): T {
    const content = contents.get(prints.get(shape)!)!;
    if (!isShared(content)) return withParts(shape);
    const name = nameOf(content);
    const own = Object.entries(shape).filter(([key]) => !OF_VALUE.has(key));
    return { type: shape.type, shape: name, ...Object.fromEntries(own) } as unknown as T;
  }

  function nameOf({ print, shape }: Content): string {
    const name = names.get(print)!;
    if (written.has(name)) return name;
    const content = Object.entries(withParts(shape)).filter(([key]) => OF_VALUE.has(key));
    const description = meanings.get(name);
    written.set(name, {
      ...(Object.fromEntries(content) as unknown as ValueShape),
      ...(description === undefined ? {} : { description }),
    });
    return name;
  }

  function withParts<T extends ValueShape>(shape: T): T {
    const { items, properties, one_of } = shape;
    if (!items && !properties && !one_of) return shape;
    const parts = Object.entries(properties ?? {}).map(([key, part]) => [key, reference(part)]);
    return {
      ...shape,
      ...(items ? { items: reference(items) } : {}),
      ...(properties
        ? { properties: Object.fromEntries(parts) as Record<string, PropertyShape> }
        : {}),
      ...(one_of ? { one_of: one_of.map(reference) } : {}),
    };
  }
}
