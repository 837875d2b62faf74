/** JSON that the database can store: without zero characters and unpaired surrogates, which callers may send. */

export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' ? storableText(each) : each,
  );
}

const BAD = /\0|[\uD800-\uDFFF]/u;

export function storableText(text: string): string {
  return BAD.test(text) ? Buffer.from(text).toString().replaceAll('\0', '') : text;
}
