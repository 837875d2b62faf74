/** How many columns text takes in a terminal: wide letters and emoji take two, marks none. */

const ASCII = /^[\x20-\x7e]*$/;
const WIDE =
  /(?![\uff61-\uffdc])[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji}\ufe0f/u;
const NOTHING = /^[\p{M}\p{Cf}]*$/u;
const segmenter = new Intl.Segmenter();

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += segmentWidth(segment);
  return width;
}

/** The text, or its beginning and "…" if it takes more than so many columns. */
export function fitted(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += segmentWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns < 1 ? '' : `${kept.trimEnd()}…`;
}

export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

function segmentWidth(segment: string): number {
  if (NOTHING.test(segment)) return 0;
  return WIDE.test(segment) ? 2 : 1;
}
