/**
 * Breaks text into lines at spaces. A word longer than a line is broken at the end of the line, and
 * a path behind a slash near it.
 */

import { displayWidth } from './display-width.js';

export interface WrapOptions {
  /** Whether a word longer than a line is left to the terminal, which copies it as one. */
  readonly keepsWords?: boolean;
}

/** The lines of a text for a width in columns. Its own line breaks stay. */
export function wrapped(
  text: string,
  columns: number,
  { keepsWords = false }: WrapOptions = {},
): string[] {
  if (columns === Infinity) return text.split('\n');
  const cut = keepsWords ? (word: string): string[] => [word] : pieces;
  return text.split('\n').flatMap((line) => wrappedLine(line, Math.max(1, columns), cut));
}

/** A text wrapped to a width in columns. All lines except the first start with the indent. */
export function hanging(text: string, columns: number, indent: string): string {
  const [first = '', ...others] = wrapped(text, columns - displayWidth(indent));
  return [first, ...others.map((line) => indent + line)].join('\n');
}

function wrappedLine(text: string, columns: number, cut: typeof pieces): string[] {
  if (displayWidth(text) <= columns) return [text];
  const lines: string[] = [];
  const indent = /^\s*/.exec(text)![0];
  let line = indent;
  let isEmpty = true;
  for (const word of text.trim().split(/ +/)) {
    for (const piece of cut(word, columns - indent.length)) {
      const joined = isEmpty ? line + piece : `${line} ${piece}`;
      if (isEmpty || displayWidth(joined) <= columns) line = joined;
      else {
        lines.push(line);
        line = indent + piece;
      }
      isEmpty = false;
    }
  }
  return [...lines, line];
}

/** A word in pieces that fit. Never splits a character. */
function pieces(word: string, columns: number): string[] {
  if (displayWidth(word) <= columns) return [word];
  const parts: string[] = [];
  let [part, used] = ['', 0];
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const width = displayWidth(segment);
    if (part !== '' && used + width > columns) {
      const slash = part.lastIndexOf('/') + 1;
      const end = slash >= part.length / 2 ? slash : part.length;
      parts.push(part.slice(0, end));
      part = part.slice(end);
      used = displayWidth(part);
    }
    part += segment;
    used += width;
  }
  return [...parts, part];
}
