/** Reads a flag that takes a number above zero. */

import { usageFailure } from './failure.js';

export function countOf(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageFailure(`${flag} takes a number above zero, not "${text}".`);
}
