/** Decodes the bytes of a file without a loss, or not at all. */

/**
 * The text, with its byte order mark if it has one. `undefined`: the bytes are not UTF-8, and writing
 * the text back would destroy some of them.
 */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
