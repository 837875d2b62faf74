/** Reads parsed JSON from others, and never the members of a prototype. */

/** The own member of an object or a list; `undefined` if there is none. */
export function memberOf(value: unknown, key: string | number): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isOwn ? (value as Record<string | number, unknown>)[key] : undefined;
}

/** The value at a path. An empty path is the whole value. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let inner = value;
  for (const key of path) inner = memberOf(inner, key);
  return inner;
}
