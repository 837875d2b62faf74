/** A time relative to now, such as "5 min ago". */

import { signal } from '@preact/signals';

/** Ticks every few seconds, so that shown times stay correct. */
const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 5_000);

const UNITS: readonly (readonly [seconds: number, word: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
];

/** `least`: the text for less than a minute. Default: "just now". */
export function sinceText(since: string | undefined, least = 'just now'): string {
  if (since === undefined) return '';
  const seconds = Math.max(0, (now.value - Date.parse(since)) / 1000);
  const unit = UNITS.find(([size]) => seconds >= size);
  return unit ? `${Math.floor(seconds / unit[0])} ${unit[1]} ago` : least;
}
