/**
 * Replaces references by the shapes that they name. A shape stays one object in memory, however
 * often used.
 */

import type { ValueShape } from './adapter-document.js';
import { withParts } from './shape-parts.js';

type Shapes = Readonly<Record<string, ValueShape>>;

/** The parts of a document that may refer to shapes. */
interface WithShapes {
  readonly shapes?: Shapes;
  readonly operations?: Readonly<Record<string, readonly WithParams[] | undefined>>;
  readonly types?: Readonly<Record<string, { readonly fields?: Shapes }>>;
}

interface WithParams {
  readonly params?: Shapes;
}

/**
 * The document without `shapes` and references. A document without shapes is returned as it is. Parameters are
 * linked when they are read.
 */
export function linkShapes<D extends object>(document: D): Omit<D, 'shapes'> {
  const { shapes = {}, operations = {}, types = {}, ...rest } = document as WithShapes;
  if (Object.keys(shapes).length === 0) return document;
  const link = createLinker(shapes);
  const linked = {
    ...rest,
    operations: mapValues(operations, (list) => list?.map((each) => linkedOperation(each, link))),
    ...('types' in document
      ? {
          types: mapValues(types, (each) =>
            each.fields ? { ...each, fields: mapValues(each.fields, link) } : each,
          ),
        }
      : {}),
  };
  return linked as unknown as Omit<D, 'shapes'>;
}

function linkedOperation(operation: WithParams, link: Linker): WithParams {
  const { params } = operation;
  if (!params) return operation;
  return {
    ...operation,
    get params() {
      return mapValues(params, link);
    },
  };
}

/** Replaces the references in a shape. */
export type Linker = <S extends ValueShape>(shape: S) => S;

/**
 * Returns a function that replaces references. It omits unknown and recursive shapes, so it always
 * ends.
 */
export function createLinker(shapes: Shapes): Linker {
  const known = new Map(Object.entries(shapes));
  const linked = new Map<string, ValueShape | undefined>();

  function named(name: string): ValueShape | undefined {
    if (linked.has(name)) return linked.get(name);
    linked.set(name, undefined);
    const shape = known.get(name);
    const whole = shape && link(shape);
    linked.set(name, whole);
    return whole;
  }

  function link<S extends ValueShape>(shape: S): S {
    if (shape.shape !== undefined) {
      const { shape: name, ...own } = shape;
      return { ...named(name), ...own } as unknown as S;
    }
    return withParts(shape, link);
  }

  return link;
}

function mapValues<A, B>(
  record: Readonly<Record<string, A>>,
  of: (value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, of(value)]));
}
