// Every answer to bad input must be fast, and a readable message of Callsign itself.
const BAD_WORDS =
  /undefined|\[object|TypeError|Cannot read|is not a function|RangeError|at .*\.js:\d+/;

/** Fails unless the work finishes in time and without an exception. */
export function soon(work, ms = 5_000) {
  const started = performance.now();
  const result = work();
  const took = performance.now() - started;
  if (took > ms) throw new Error(`took ${Math.round(took)} ms`);
  return result;
}

/** Fails unless a message is a readable sentence. */
export function readable(message) {
  if (typeof message !== 'string' || message.trim() === '')
    throw new Error('an error without a message');
  if (BAD_WORDS.test(message)) throw new Error(`an internal error message: ${message}`);
}
