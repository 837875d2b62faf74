/**
 * Makes JSON and text storable. PostgreSQL accepts neither zero characters nor unpaired surrogates,
 * and callers may send both.
 */

/** JSON in which every text is storable. Keys are not changed. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' ? storableText(each) : each,
  );
}

const BAD = /\0|[\uD800-\uDFFF]/u;

/** Drops zero characters and replaces unpaired surrogates. */
export function storableText(text: string): string {
  return BAD.test(text) ? Buffer.from(text).toString().replaceAll('\0', '') : text;
}
