/**
 * Gives repeated shapes of a large adapter a name, so that each is written once. Inverse of
 * `linkShapes`.
 */

import type { ValueShape } from './adapter-document.js';
import { type Content, OF_VALUE, ShapeContents } from './shape-contents.js';
import { type LegalName, shapeNames } from './shape-names.js';
import { withParts } from './shape-parts.js';

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

/** How shapes are named. Default: by a hash of their content. */
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
  const contents = new ShapeContents();
  const names = new Map<string, string>();
  for (const [name, shape] of Object.entries(known)) names.set(contents.of(shape).print, name);
  let size = 0;
  for (const shape of roots) size += contents.of(shape).size;
  if (size < LARGE && names.size === 0) return { roots, shapes: {} };
  for (const [i, shape] of roots.entries()) contents.count(shape, keys[i]);
  nameShared(contents.all(), names, legalName);
  const writer = new ShapeWriter(contents, names, known);
  const shared = roots.map((shape) => writer.reference(shape));
  return { roots: shared, shapes: writer.shapes() };
}

/** Adds names for the contents that are worth sharing. Known names that are in use stay taken. */
function nameShared(
  contents: readonly Content[],
  names: Map<string, string>,
  legalName: LegalName | undefined,
): void {
  const used = contents.filter(({ places }) => places > 0);
  const taken = used.flatMap(({ print }) => names.get(print) ?? []);
  const unnamed = used.filter((content) => isRepeated(content) && !names.has(content.print));
  for (const [print, name] of shapeNames(unnamed, taken, legalName)) names.set(print, name);
}

function isRepeated({ places, size }: Content): boolean {
  return places > 1 && size >= SHORTEST;
}

/** Writes shapes with references, and each named shape once. */
class ShapeWriter {
  readonly #contents: ShapeContents;
  readonly #names: ReadonlyMap<string, string>;
  readonly #known: Shapes;
  readonly #written = new Map<string, ValueShape>();

  /** `names`: by the prints of contents. */
  constructor(contents: ShapeContents, names: ReadonlyMap<string, string>, known: Shapes) {
    this.#contents = contents;
    this.#names = names;
    this.#known = known;
  }

  /** The named shapes that were referred to, sorted by name. */
  shapes(): Shapes {
    return Object.fromEntries([...this.#written].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The shape as written at its place. */
  reference<T extends ValueShape>(shape: T): T {
    const content = this.#contents.of(shape);
    const name = this.#names.get(content.print);
    if (name === undefined) return this.#parts(shape);
    if (!this.#written.has(name)) this.#define(name, content.shape);
    const own = Object.entries(shape).filter(([key]) => !OF_VALUE.has(key));
    return { type: shape.type, shape: name, ...Object.fromEntries(own) } as unknown as T;
  }

  #define(name: string, shape: ValueShape): void {
    const content = Object.entries(this.#parts(shape)).filter(([key]) => OF_VALUE.has(key));
    const description = this.#known[name]?.description;
    this.#written.set(name, {
      ...(Object.fromEntries(content) as unknown as ValueShape),
      ...(description === undefined ? {} : { description }),
    });
  }

  #parts<T extends ValueShape>(shape: T): T {
    return withParts(shape, (part) => this.reference(part));
  }
}
