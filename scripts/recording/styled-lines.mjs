// What a terminal shows after some output: lines of spans with their styles. Supports what
// `callsign` prints: colours, and lines that are erased.

/** @typedef {{ text: string, style: string }} Span `style`: the names of classes, such as `bold red` */

const STYLES = new Map([
  [1, 'bold'],
  [2, 'dim'],
  [31, 'red'],
  [32, 'green'],
  [33, 'yellow'],
  [34, 'blue'],
  [35, 'magenta'],
  [36, 'cyan'],
]);
const ESCAPE = '\u001b[';

/** @returns {Span[][]} */
export function styledLines(output) {
  const lines = output.replaceAll('\r\n', '\n').trimEnd().split('\n');
  return lines.map((line) => {
    // Text from before the line was erased is removed.
    const [shown = ''] = line.split(`${ESCAPE}2K`).slice(-1);
    return spansOf(shown.replaceAll('\r', ''));
  });
}

function spansOf(line) {
  const [first = '', ...rest] = line.split(ESCAPE);
  const on = new Set();
  const spans = [{ text: first, style: '' }];
  for (const part of rest) {
    const [, codes = '', letter, text = ''] = /^([\d;?]*)([A-Za-z])([^]*)$/.exec(part) ?? [];
    if (letter === 'm') for (const code of codes.split(';').map(Number)) apply(code, on);
    spans.push({ text, style: [...on].join(' ') });
  }
  return spans.filter(({ text }) => text !== '');
}

function apply(code, on) {
  if (code === 0) on.clear();
  else if (code === 22) ['bold', 'dim'].forEach((style) => on.delete(style));
  else if (code === 39) {
    for (const [number, style] of STYLES) if (number >= 30) on.delete(style);
  } else if (STYLES.has(code)) on.add(STYLES.get(code));
}
