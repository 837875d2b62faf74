/**
 * Measures text in columns of a terminal: wide letters and emoji take two, combining marks none.
 */

const ASCII = /^[\x20-\x7e]*$/;
const WIDE =
  /(?![\uff61-\uffdc])[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji}\ufe0f/u;
const NOTHING = /^[\p{M}\p{Cf}]*$/u;

/** Our own colours take no columns. */
// oxlint-disable-next-line no-control-regex
const COLOUR = /\x1b\[\d{1,2}m/g;

/** The width in columns. Our own colours count as nothing. */
export function displayWidth(painted: string): number {
  if (ASCII.test(painted)) return painted.length;
  const text = painted.replace(COLOUR, '');
  let width = 0;
  for (const { segment } of segmentsOf(text)) width += segmentWidth(segment);
  return width;
}

/** The text, or its beginning and "…" if it is wider than `columns`. Never splits a character. */
export function fitted(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let start = '';
  let width = 0;
  for (const { segment } of segmentsOf(text)) {
    width += segmentWidth(segment);
    if (width > columns - 1) break;
    start += segment;
  }
  return columns < 1 ? '' : `${start.trimEnd()}…`;
}

/** The text, or its beginning, "…" and its end if it is wider than `columns`. For long names. */
export function shortened(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  const start = fitted(text, Math.ceil(columns / 2));
  const space = columns - displayWidth(start);
  let end = '';
  let width = 0;
  for (const { segment } of [...segmentsOf(text)].toReversed()) {
    width += segmentWidth(segment);
    if (width > space) break;
    end = segment + end;
  }
  return start + end;
}

export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

let segmenter: Intl.Segmenter | undefined;

/** The segmenter is created on first use, because that is slow. */
function segmentsOf(text: string): Intl.Segments {
  return (segmenter ??= new Intl.Segmenter()).segment(text);
}

function segmentWidth(segment: string): number {
  if (NOTHING.test(segment)) return 0;
  return WIDE.test(segment) ? 2 : 1;
}
