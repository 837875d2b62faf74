/** JSON that the database takes: it keeps no zero characters, and no halves of characters. Callers choose texts. */

export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' ? storableText(each) : each,
  );
}

const BAD = /\0|[\uD800-\uDFFF]/u;

export function storableText(text: string): string {
  return BAD.test(text) ? Buffer.from(text).toString().replaceAll('\0', '') : text;
}
