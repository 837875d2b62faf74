// A terminal as SVG: lines appear one after the other. Without animation, all of them are shown.

const CELL = { width: 8.43, height: 20 };
const MARGIN = { x: 20, top: 52, bottom: 18 };
/** In seconds: typing a command, waiting for its output, and reading it. */
const TYPED_S = 0.9;
const OUTPUT_S = 0.4;
const READ_S = 1.4;

const STYLE = `
.window { fill: #16181d; }
.text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d6d9e0; white-space: pre; }
.title { font: 13px system-ui, sans-serif; fill: #8a909c; }
.prompt { fill: #7fb069; }
.bold { font-weight: bold; } .dim { fill: #8a909c; }
.red { fill: #ef6f6c; } .green { fill: #7fb069; } .yellow { fill: #e0b050; }
.blue { fill: #6ca0ef; } .magenta { fill: #c58af9; } .cyan { fill: #5fc9c9; }
.line { animation: appear 0.01s both; }
@keyframes appear { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .line { animation: none; } }`;

/** @param {{ line: string, output: import('./styled-lines.mjs').Span[][] }[]} commands */
export function drawn(commands, columns, label) {
  const rows = [];
  let at = 0.3;
  for (const { line, output } of commands) {
    for (const [i, part] of wrapped(line, columns - 2).entries()) {
      const prompt = i === 0 ? { text: '$ ', style: 'prompt' } : { text: '  ', style: '' };
      rows.push({ at, spans: [prompt, { text: part, style: 'bold' }], isTyped: true });
    }
    at += TYPED_S;
    for (const spans of output) rows.push({ at, spans });
    at += OUTPUT_S + READ_S;
    rows.push({ at, spans: [] });
  }
  rows.pop();
  const width = Math.ceil(MARGIN.x * 2 + columns * CELL.width);
  const height = MARGIN.top + rows.length * CELL.height + MARGIN.bottom;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">
<style>${STYLE}
</style>
<rect class="window" width="${width}" height="${height}" rx="10"/>
<circle cx="24" cy="22" r="6" fill="#ef6f6c"/><circle cx="44" cy="22" r="6" fill="#e0b050"/><circle cx="64" cy="22" r="6" fill="#7fb069"/>
<text class="title" x="${width / 2}" y="27" text-anchor="middle">callsign</text>
${rows.map(rowText).join('\n')}
</svg>
`;
}

function rowText({ at, spans }, index) {
  const y = MARGIN.top + index * CELL.height + 14;
  let column = 0;
  const parts = spans.map(({ text, style }) => {
    const x = (MARGIN.x + column * CELL.width).toFixed(1);
    column += text.length;
    const length = (text.length * CELL.width).toFixed(1);
    const fit = `textLength="${length}" lengthAdjust="spacingAndGlyphs"`;
    return `<tspan x="${x}" ${fit}${style === '' ? '' : ` class="${style}"`}>${escaped(text)}</tspan>`;
  });
  const delay = `style="animation-delay:${at.toFixed(1)}s"`;
  return `<text class="text line" y="${y}" xml:space="preserve" ${delay}>${parts.join('')}</text>`;
}

/** A typed line that is longer than the terminal continues in the next row. */
function wrapped(line, columns) {
  const parts = [];
  for (let from = 0; from < line.length; from += columns)
    parts.push(line.slice(from, from + columns));
  return parts;
}

/** The lines of a picture as text; a command that continues in the next row is one line. */
export function shownIn(svg) {
  const lines = [];
  let isTyped = false;
  for (const [, row] of svg.matchAll(/<text class="text line"[^>]*>(.*?)<\/text>/g)) {
    const text = unescaped(row.replaceAll(/<[^>]*>/g, ''));
    const isNext = isTyped && row.includes('class="bold"') && text.startsWith('  ');
    if (isNext) lines.push(lines.pop() + text.slice(2));
    else if (text !== '') lines.push(text);
    isTyped = text.startsWith('$ ') || isNext;
  }
  return lines;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescaped(text) {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
