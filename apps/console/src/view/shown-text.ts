/** Text that a server or a caller wrote, with hidden characters made visible and a bounded length. */

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
