/**
 * SHA-256 in plain JavaScript. This package also runs in browsers, where `node:crypto` is missing
 * and Web Crypto is asynchronous.
 */

const ROUNDS = 64;
const { constants: K, initial: H0 } = deriveConstants();
/** Scratch space of `compress`, shared by all calls: hashing is synchronous. */
const schedule = new Uint32Array(ROUNDS);

/** The digest of a text as eight 32-bit words. */
export function sha256(text: string): Uint32Array {
  const blocks = pad(encodeText(text));
  const state = Uint32Array.from(H0);
  for (let offset = 0; offset < blocks.byteLength; offset += 64) compress(state, blocks, offset);
  return state;
}

function compress(state: Uint32Array, blocks: DataView, offset: number): void {
  const w = schedule;
  for (let i = 0; i < 16; i++) w[i] = blocks.getUint32(offset + i * 4);
  for (let i = 16; i < ROUNDS; i++) {
    const a = w[i - 15]!;
    const b = w[i - 2]!;
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
  for (let i = 0; i < ROUNDS; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const worked = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = (state[i]! + worked[i]!) | 0;
}

type Eight = [number, number, number, number, number, number, number, number];

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/**
 * UTF-8, except that a lone surrogate keeps its own three bytes. So two different texts never have
 * the same bytes.
 */
function encodeText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    if (code < 0x80) bytes[length++] = code;
    else if (code < 0x800) {
      bytes[length++] = 0xc0 | (code >> 6);
      bytes[length++] = 0x80 | (code & 63);
    } else if (code < 0x10000) {
      bytes[length++] = 0xe0 | (code >> 12);
      bytes[length++] = 0x80 | ((code >> 6) & 63);
      bytes[length++] = 0x80 | (code & 63);
    } else {
      i++;
      bytes[length++] = 0xf0 | (code >> 18);
      bytes[length++] = 0x80 | ((code >> 12) & 63);
      bytes[length++] = 0x80 | ((code >> 6) & 63);
      bytes[length++] = 0x80 | (code & 63);
    }
  }
  return bytes.subarray(0, length);
}

function pad(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, bytes.length << 3);
  return view;
}

/** The standard's constants: the fractional parts of the roots of the first primes. */
function deriveConstants(): { constants: Uint32Array; initial: Uint32Array } {
  const constants = new Uint32Array(ROUNDS);
  const initial = new Uint32Array(8);
  const primes: number[] = [];
  for (let n = 2; primes.length < ROUNDS; n++) {
    if (primes.some((prime) => n % prime === 0)) continue;
    constants[primes.length] = fraction(Math.cbrt(n));
    if (primes.length < 8) initial[primes.length] = fraction(Math.sqrt(n));
    primes.push(n);
  }
  return { constants, initial };
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 0x100000000);
}
