/** Breaks text into lines at spaces. A word that is longer than a line is broken where the line ends. */

import { displayWidth } from './display-width.js';

/** The lines of a text for so many columns. Line breaks of the text stay. */
export function wrapped(text: string, columns: number): string[] {
  if (columns === Infinity) return text.split('\n');
  return text.split('\n').flatMap((line) => wrappedLine(line, Math.max(1, columns)));
}

/** The same as one text. All lines but the first start with the indent. */
export function hanging(text: string, columns: number, indent: string): string {
  const [first = '', ...others] = wrapped(text, columns - displayWidth(indent));
  return [first, ...others.map((line) => indent + line)].join('\n');
}

function wrappedLine(text: string, columns: number): string[] {
  if (displayWidth(text) <= columns) return [text];
  const lines: string[] = [];
  const indent = /^\s*/.exec(text)![0];
  let line = indent;
  let isEmpty = true;
  for (const word of text.trim().split(/ +/)) {
    for (const piece of pieces(word, columns - indent.length)) {
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

/** A word in parts that fit. */
function pieces(word: string, columns: number): string[] {
  if (displayWidth(word) <= columns) return [word];
  const parts: string[] = [];
  let part = '';
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (part !== '' && displayWidth(part + segment) > columns) {
      parts.push(part);
      part = '';
    }
    part += segment;
  }
  return [...parts, part];
}
