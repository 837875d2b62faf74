/** Finds our own number in an id or a token that a server sent back. */

/** `7` in other words: `"7"`, `7.0`, `7e0`. */
const OTHER_SPELLING = /^(?:"(\d{1,15})"|(\d{1,15}(?:\.0+)?(?:[eE][+-]?\d{1,3})?))$/;

/**
 * The number, or `undefined` if the text is another one. Some servers keep ids as text or as floating-point
 * numbers. The official clients accept their answers, so we do too.
 */
export function ownId(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text === String(number)) return Number.isSafeInteger(number) ? number : undefined;
  const [, quoted, plain] = OTHER_SPELLING.exec(text) ?? [];
  const other = Number(quoted ?? plain);
  return Number.isSafeInteger(other) ? other : undefined;
}
