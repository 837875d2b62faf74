/** Names for shapes that a file defines once: after the source where it has a name, else by content. */

/** The names that a source gives to one shape, and what tells it from other shapes of these names. */
export interface NamedContent {
  /** A hash of its content. */
  readonly print: string;
  readonly type: string;
  readonly size: number;
  /** The names of equal schemas in the source. */
  readonly schemas: ReadonlySet<string>;
  /** The keys under which it is used. */
  readonly keys: ReadonlySet<string>;
}

/** Turns a name of the source into a legal one, if that is possible. */
export type LegalName = (text: string) => string | undefined;

/** Keys that name a shape without a schema together. For more keys, a name would say little. */
const MAX_KEYS = 2;
/** With more contents of one name, numbers would say little, and a new content would change many of them. */
const MAX_NUMBERED = 9;
const NAME_DIGITS = 6;
/** Keys with a special meaning in JavaScript. No file may have them. */
const RESERVED = ['constructor', 'prototype'];

/**
 * By the hashes of contents. A name depends on the contents alone, not on their order, so the next import gives the
 * same names. `taken` names are not given again.
 */
export function shapeNames(
  contents: readonly NamedContent[],
  taken: Iterable<string>,
  legalName: LegalName = () => undefined,
): ReadonlyMap<string, string> {
  const used = new Set([...RESERVED, ...taken]);
  const names = new Map<string, string>();
  const sorted = contents.toSorted(byClaim);
  const wanted = sorted.map((content) => nameFor(content, legalName));
  const counts = new Map<string | undefined, number>();
  for (const name of wanted) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [i, content] of sorted.entries()) {
    const base = wanted[i];
    const isNumbered = base !== undefined && counts.get(base)! <= MAX_NUMBERED;
    const name = isNumbered ? numbered(base, used) : hashName(content, base, used);
    used.add(name);
    names.set(content.print, name);
  }
  return names;
}

/**
 * Of several contents with one name, a schema gets it before a key, and the most complete content before the others.
 */
function byClaim(a: NamedContent, b: NamedContent): number {
  const isNamed = ({ schemas }: NamedContent): number => (schemas.size > 0 ? 1 : 0);
  return isNamed(b) - isNamed(a) || b.size - a.size || (a.print < b.print ? -1 : 1);
}

function nameFor({ schemas, keys }: NamedContent, legalName: LegalName): string | undefined {
  const [schema] = [...schemas].toSorted();
  if (schema !== undefined) return legalName(schema);
  const legal = new Set(Array.from(keys, (key) => legalName(key)));
  if (legal.size === 0 || legal.size > MAX_KEYS || legal.has(undefined)) return undefined;
  return legalName([...legal].toSorted().join('_or_'));
}

function numbered(base: string, used: ReadonlySet<string>): string {
  if (!used.has(base)) return base;
  for (let number = 2; ; number++) {
    const name = `${base}_${number}`;
    if (!used.has(name)) return name;
  }
}

function hashName(
  { type, print }: NamedContent,
  base: string | undefined,
  used: ReadonlySet<string>,
): string {
  for (let digits = NAME_DIGITS; ; digits++) {
    const name = `${base ?? type}_${print.slice(0, digits)}`;
    if (!used.has(name)) return name;
  }
}
