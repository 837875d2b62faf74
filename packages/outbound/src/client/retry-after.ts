/** Parses the header `Retry-After`, in both of its forms: seconds, or a date. */

/** How long to wait, in milliseconds. `undefined`: there is no header, or it cannot be read. */
export function readRetryAfter(
  header: string | undefined,
  now: number = Date.now(),
): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Every HTTP date names its zone. Without this check `Date.parse` would accept almost anything.
  const at = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
