/** Writes text as an HTTP header: plain if possible, otherwise base64 between marks. */

const ENCODED = /^=\?base64\?(.*)\?=$/s;

/** The value for a header. Text that itself looks encoded is encoded. */
export function encodeHeader(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !ENCODED.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The text of a header; `undefined` if its encoding is not valid. */
export function decodeHeader(value: string): string | undefined {
  const payload = ENCODED.exec(value)?.[1];
  if (payload === undefined) return value;
  const bytes = Buffer.from(payload, 'base64');
  if (bytes.toString('base64') !== payload) return undefined;
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}
