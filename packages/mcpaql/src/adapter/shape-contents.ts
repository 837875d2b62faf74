/** The different contents among many shapes, and how often each is used. */

import { createHash } from 'node:crypto';

import { isObject } from '@callsign/core';

import type { PropertyShape, ValueShape } from './adapter-document.js';
import type { NamedContent } from './shape-names.js';
import { shapeParts } from './shape-parts.js';
import { SCHEMA_NAME, VALUE_KEYS } from './value-keys.js';

/** What equal shapes have in common. */
export interface Content extends NamedContent {
  readonly shape: ValueShape;
  /** Its number of characters when written in full. */
  readonly size: number;
  readonly schemas: Set<string>;
  readonly keys: Set<string>;
  /** How many places refer to it, if every shape is written once. */
  places: number;
}

/** Digits of the hash that are kept, of 64. */
const PRINT_LENGTH = 32;
/** Keys that stay where a shape is used and do not become part of the named shape. */
const OF_PLACE = ['description', 'required', 'nullable'] as const;
/** Everything that decides which values are valid. Other keys belong to a parameter. */
export const OF_VALUE: ReadonlySet<string> = new Set(['type', ...VALUE_KEYS]);

export class ShapeContents {
  readonly #byPrint = new Map<string, Content>();
  readonly #byShape = new WeakMap<ValueShape, Content>();

  /** In the order in which they were first read. */
  all(): Content[] {
    return [...this.#byPrint.values()];
  }

  /** Equal shapes have the same content. */
  of(shape: ValueShape): Content {
    return this.#byShape.get(shape) ?? this.#read(shape);
  }

  /** Counts a place where the shape is used. `key`: the name of the place. */
  count(shape: ValueShape, key: string | undefined): void {
    const content = this.of(shape);
    const schema = shape[SCHEMA_NAME];
    if (schema !== undefined) content.schemas.add(schema);
    if (key !== undefined) content.keys.add(key);
    if (content.places++ > 0) return;
    for (const [[place, name], part] of shapeParts(content.shape)) {
      const own = key === undefined ? undefined : `${key}_${place === 'one_of' ? 'form' : 'item'}`;
      this.count(part, place === 'properties' ? String(name) : own);
    }
  }

  #read(shape: ValueShape): Content {
    let length = 0;
    const inner = (part: PropertyShape): unknown => {
      const { print, size } = this.of(part);
      length += size + (part.description?.length ?? 0);
      return [print, ...OF_PLACE.map((place) => part[place] ?? null)];
    };
    const text = JSON.stringify(valueMembers(shape, inner));
    const print = createHash('sha256').update(text).digest('hex').slice(0, PRINT_LENGTH);
    const content = this.#byPrint.get(print) ?? newContent(shape, print, text.length + length);
    this.#byPrint.set(print, content);
    this.#byShape.set(shape, content);
    return content;
  }
}

/** The members that decide which values are valid, with `inner` of each part. */
function valueMembers(shape: ValueShape, inner: (part: PropertyShape) => unknown): unknown[] {
  return Object.entries(shape).flatMap(([key, value]: [string, unknown]) => {
    if (!OF_VALUE.has(key) || value === undefined) return [];
    const isPart = key === 'items' || (key === 'additional_properties' && isObject(value));
    if (isPart) return [[key, inner(value as ValueShape)]];
    if (key === 'one_of' || key === 'prefix_items')
      return [[key, (value as ValueShape[]).map(inner)]];
    if (key !== 'properties') return [[key, value]];
    const parts = Object.entries(value as Record<string, PropertyShape>);
    return [[key, parts.map(([name, part]) => [name, inner(part)])]];
  });
}

function newContent(shape: ValueShape, print: string, size: number): Content {
  const { type } = shape;
  return { shape, print, type, size, places: 0, schemas: new Set(), keys: new Set() };
}
