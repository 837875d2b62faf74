// What a terminal shows after some output: lines of spans with their styles. Supports what `callsign` prints: colours, and
// prompts that are drawn again over what they showed before.

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
  [90, 'dim'],
]);
const ESCAPE = '\u001b';
const PART = new RegExp(`${ESCAPE}\\[([\\d;?]*)([A-Za-z])|([^])`, 'gu');

/** @returns {Span[][]} */
export function styledLines(output, columns) {
  const rows = [];
  const on = new Set();
  let [row, column] = [0, 0];
  const newLine = () => ([row, column] = [row + 1, 0]);
  const line = () => (rows[row] ??= []);
  const write = (text) => {
    if (column >= columns) newLine();
    line()[column++] = { text, style: [...on].join(' ') };
  };
  for (const [, codes, letter, text] of output.matchAll(PART)) {
    const count = Number(codes || 1);
    if (text === '\n') newLine();
    else if (text === '\r') column = 0;
    else if (text !== undefined) write(text);
    else if (letter === 'm') for (const code of codes.split(';').map(Number)) apply(code, on);
    else if (letter === 'A') row = Math.max(0, row - count);
    else if (letter === 'B') row += count;
    else if (letter === 'C') column += count;
    else if (letter === 'D') column = Math.max(0, column - count);
    else if (letter === 'G') column = count - 1;
    else if (letter === 'K') line().splice(codes === '2' ? 0 : column);
    else if (letter === 'J') {
      line().splice(column);
      rows.splice(row + 1);
    }
  }
  const lines = Array.from(rows, spansOf);
  while (lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

/** Neighbours of one style are one span. */
function spansOf(cells = []) {
  const spans = [];
  for (const { text, style } of Array.from(cells, (cell) => cell ?? { text: ' ', style: '' })) {
    const last = spans.at(-1);
    if (last?.style === style) last.text += text;
    else spans.push({ text, style });
  }
  while (spans.at(-1)?.text.trim() === '') spans.pop();
  return spans;
}

function apply(code, on) {
  if (code === 0) on.clear();
  else if (code === 22) ['bold', 'dim'].forEach((style) => on.delete(style));
  else if (code === 39) {
    for (const [number, style] of STYLES) if (number >= 30) on.delete(style);
  } else if (STYLES.has(code)) on.add(STYLES.get(code));
}
