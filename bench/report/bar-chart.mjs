// A bar chart as SVG, in light or dark colours as the reader prefers.

/** @typedef {{ label: string, role: string, value: number, low: number, high: number, text: string }} ChartBar */
/** @typedef {{ label: string, bars: ChartBar[] }} Panel each with a scale of its own */

const WIDTH = 860;
const LABEL_WIDTH = 290;
const VALUE_WIDTH = 110;
const ROW = 22;
const PANEL_HEAD = 34;
const TITLE_HEIGHT = 40;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .title { font-size: 16px; font-weight: 600; }
  .panel { font-weight: 600; }
  .value { fill: #57606a; }
  .floor { fill: #afb8c1; }
  .callsign { fill: #0969da; }
  .peer { fill: #d4a72c; }
  .spread { stroke: #24292f; stroke-width: 1; opacity: 0.6; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .value { fill: #9198a1; }
    .floor { fill: #6e7681; }
    .callsign { fill: #4493f8; }
    .peer { fill: #bb8009; }
    .spread { stroke: #e6edf3; }
  }`;

/** @param {string} title @param {Panel[]} panels */
export function barChart(title, panels) {
  const parts = [];
  let y = TITLE_HEIGHT;
  for (const { label, bars } of panels) {
    parts.push(`<text class="panel" x="0" y="${y + 20}">${escape(label)}</text>`);
    y += PANEL_HEAD;
    const most = Math.max(...bars.map(({ high }) => high));
    for (const bar of bars) {
      parts.push(...drawn(bar, most, y));
      y += ROW;
    }
  }
  const height = y + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escape(title)}</title>
<style>${STYLE}
</style>
<text class="title" x="0" y="20">${escape(title)}</text>
${parts.join('\n')}
</svg>
`;
}

function drawn({ label, role, value, low, high, text }, most, y) {
  const scale = (amount) => (amount / most) * (WIDTH - LABEL_WIDTH - VALUE_WIDTH);
  const at = (amount) => (LABEL_WIDTH + scale(amount)).toFixed(1);
  const middle = y + ROW / 2 - 2;
  return [
    `<text x="${LABEL_WIDTH - 8}" y="${y + 13}" text-anchor="end">${escape(label)}</text>`,
    `<rect class="${role}" x="${LABEL_WIDTH}" y="${y}" width="${scale(value).toFixed(1)}" height="${ROW - 5}" rx="2"/>`,
    `<line class="spread" x1="${at(low)}" y1="${middle}" x2="${at(high)}" y2="${middle}"/>`,
    `<text class="value" x="${Number(at(high)) + 6}" y="${y + 13}">${escape(text)}</text>`,
  ];
}

function escape(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
