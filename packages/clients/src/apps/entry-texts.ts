/** The texts of an entry, at every depth. */

import { isRecord } from '@callsign/config';

/** A copy with every text replaced. */
export function mapTexts(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, text));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, mapTexts(each, text)]),
  );
}

/** Text in which every "$" is a plain character. */
export function literalText(text: string): string {
  return text.replace(/\$(?=\{|_*[A-Z])/g, '$$$$');
}
