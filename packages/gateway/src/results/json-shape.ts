/** Describes the shape of a JSON value in few words: keys, types, lengths of arrays. */

/** Elements of an array that are looked at. */
const SAMPLE = 50;
const MAX_DEPTH = 8;
const MAX_KEYS = 40;
const MAX_KEY = 100;
const LONG_STRING = 200;

/** For a model that writes a JMESPath expression. At most `most` characters. */
export function shapeOf(value: unknown, most = 4_000): string {
  for (let depth = MAX_DEPTH; depth > 0; depth--) {
    const shape = described([value], depth);
    if (shape.length <= most) return shape;
  }
  return described([value], 1).slice(0, most);
}

/** One description for all samples of one place. */
function described(samples: readonly unknown[], depth: number): string {
  const kinds = new Map<string, unknown[]>();
  for (const sample of samples) {
    const kind = kindOf(sample);
    kinds.set(kind, [...(kinds.get(kind) ?? []), sample]);
  }
  return [...kinds].map(([kind, all]) => describedKind(kind, all, depth)).join(' or ');
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function describedKind(kind: string, samples: readonly unknown[], depth: number): string {
  if (kind === 'object') return objectShape(samples as readonly object[], depth);
  if (kind === 'array') return arrayShape(samples as readonly unknown[][], depth);
  if (kind !== 'string') return kind;
  const longest = Math.max(...(samples as readonly string[]).map(({ length }) => length));
  return longest > LONG_STRING ? `string of up to ${longest} characters` : 'string';
}

function arrayShape(arrays: readonly (readonly unknown[])[], depth: number): string {
  const lengths = arrays.map(({ length }) => length);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const count = least === most ? String(most) : `${least} to ${most}`;
  if (most === 0) return 'empty array';
  if (depth <= 1) return `array of ${count}`;
  const elements = arrays.flatMap((array) => array.slice(0, SAMPLE)).slice(0, SAMPLE);
  return `array of ${count}: ${described(elements, depth - 1)}`;
}

function objectShape(objects: readonly object[], depth: number): string {
  const values = new Map<string, unknown[]>();
  for (const object of objects)
    for (const [key, value] of Object.entries(object))
      values.set(key, [...(values.get(key) ?? []), value]);
  if (depth <= 1) return `object with ${values.size} keys`;
  const shown = [...values].slice(0, MAX_KEYS).map(([key, all]) => {
    const mark = all.length < objects.length ? '?' : '';
    return `${JSON.stringify(key.slice(0, MAX_KEY))}${mark}: ${described(all, depth - 1)}`;
  });
  const more = values.size - shown.length;
  return `{ ${[...shown, ...(more > 0 ? [`${more} more keys`] : [])].join(', ')} }`;
}
