/** Integers past 2^53, which JavaScript would round. Answers and requests have them as text. */

const MAX_DIGITS = 40;

/** Whether a text is such an integer, written as JSON writes it. */
export function isLargeInteger(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= MAX_DIGITS &&
    /^-?[1-9]\d{15,}$/.test(value) &&
    !Number.isSafeInteger(Number(value))
  );
}
