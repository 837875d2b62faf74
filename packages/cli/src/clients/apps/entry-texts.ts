/** Changes the texts of an entry, at every depth. Keys are not texts. */

import { isRecord } from '@callsign/config';

/** A copy of the value with every text replaced. */
export function mapTexts(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, text));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, mapTexts(each, text)]),
  );
}
