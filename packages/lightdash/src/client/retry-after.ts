/** The header `Retry-After`, in both of its forms. */

/** How long to wait, in milliseconds; nothing when the header says nothing that can be read. */
export function readRetryAfter(
  header: string | undefined,
  now: number = Date.now(),
): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Every date of HTTP names its zone; without one `Date.parse` would take almost anything for a date.
  const at = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
