// Tokens of a session by the number of operations in it, as SVG, in light or dark colours.

const WIDTH = 820;
const HEIGHT = 400;
const LABEL_HEIGHT = 16;
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 220, 50, 50];

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .title { font-size: 16px; font-weight: 600; }
  .axis { stroke: #afb8c1; stroke-width: 1; }
  .line { fill: none; stroke-width: 2.5; }
  .c0 { stroke: #d4a72c; } .c1 { stroke: #0969da; } .c2 { stroke: #54aeff; } .c3 { stroke: #8250df; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .axis { stroke: #6e7681; }
    .c0 { stroke: #bb8009; } .c1 { stroke: #4493f8; } .c2 { stroke: #79c0ff; } .c3 { stroke: #a371f7; }
  }`;

/** @param {string} title @param {{ label: string, points: [number, number][] }[]} lines */
export function curve(title, lines) {
  const points = lines.flatMap((line) => line.points);
  const mostX = Math.max(...points.map(([x]) => x));
  const step = niceStep(Math.max(...points.map(([, y]) => y)) / 5);
  const mostY = step * Math.ceil(Math.max(...points.map(([, y]) => y)) / step);
  const x = (value) => round(LEFT + ((WIDTH - LEFT - RIGHT) * value) / mostX);
  const y = (value) => round(HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / mostY);
  const grid = Array.from({ length: mostY / step + 1 }, (_, i) => i * step).map(
    (value) =>
      `<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}" opacity="0.4"/>` +
      `<text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${value.toLocaleString('en')}</text>`,
  );
  const ticks = [0, 5, 10, 15, 20, 25]
    .filter((value) => value <= mostX)
    .map(
      (value) =>
        `<text x="${x(value)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${value}</text>`,
    );
  const heights = spread(lines.map(({ points: own }) => y(own.at(-1)[1]) + 4));
  const drawn = lines.map(({ label, points: own }, i) => {
    const path = own.map(([a, b]) => `${x(a)},${y(b)}`).join(' ');
    const [lastX] = own.at(-1);
    return `<polyline class="line c${i}" points="${path}"/><text x="${x(lastX) + 8}" y="${heights[i]}">${label}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<style>${STYLE}</style>
<text class="title" x="0" y="20">${title}</text>
${[...grid, ...ticks, ...drawn].join('\n')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">operations used in the session</text>
</svg>
`;
}

/** Moves heights down until no two labels overlap. */
function spread(heights) {
  const apart = [...heights];
  const downward = [...heights.keys()].toSorted((a, b) => heights[a] - heights[b]);
  let least = -Infinity;
  for (const i of downward) {
    apart[i] = round(Math.max(apart[i], least));
    least = apart[i] + LABEL_HEIGHT;
  }
  return apart;
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
}

function round(value) {
  return Math.round(value * 10) / 10;
}
