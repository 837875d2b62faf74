/**
 * Reads fields of untrusted data, and never those of a prototype. Plain data never makes it throw;
 * a getter or a Proxy may.
 */

/** A plain object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property `key` of an object; `undefined` for anything else. */
export function ownProperty(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The own property `key` as trimmed text; blank text and other values count as absent. */
export function ownText(value: unknown, key: string): string | undefined {
  const text = ownProperty(value, key);
  return typeof text === 'string' ? text.trim() || undefined : undefined;
}
