/** Texts of servers and callers, with hidden characters made visible and a bounded length; and durations. */

import { visibleLine, visibleText } from '@callsign/core/visible-text';

const MAX_LINE = 200;
const MAX_TEXT = 20_000;

/** For one line. Use it, or `paragraph`, for every text that does not come from us. */
export function line(text: string, max: number = MAX_LINE): string {
  return visibleLine(text, max);
}

export function paragraph(text: string, max: number = MAX_TEXT): string {
  return visibleText(text, max);
}

/** Such as "4.2 ms", "412 ms" or "118 s". */
export function durationText(ms: number): string {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  if (ms >= 1_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms >= 10 ? Math.round(ms) : ms.toFixed(1)} ms`;
}
