/** Rows in columns for people: cut to a terminal's width, stacked where it is too narrow, whole in a pipe. */

import { displayWidth, fitted, padded } from '../text/display-width.js';
import type { Paint, Tint } from './paint.js';
import { onOneLine } from '../text/printable.js';

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  readonly tint?: (row: Row) => Tint | undefined;
}

export interface TableOptions {
  /** `Infinity` where nothing is cut. */
  readonly width: number;
  readonly paint: Paint;
}

const GAP = '  ';
/** Less than this says nothing. */
const LEAST_WIDTH = 8;
/** One long cell shall not push everybody else's neighbours away. */
const WIDEST_PADDING = 60;

export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width, paint }: TableOptions,
): string {
  const cells = rows.map((row) => columns.map(({ text }) => onOneLine(text(row))));
  const natural = columns.map(({ title }, i) =>
    cells.reduce((most, texts) => Math.max(most, displayWidth(texts[i]!)), title.length),
  );
  const isCut = width !== Infinity;
  const widths = isCut
    ? shrunk(natural, width - GAP.length * (columns.length - 1))
    : natural.map((each) => Math.min(each, WIDEST_PADDING));
  if (!widths) return stacked(rows, columns, cells, { width, paint });
  const line = (texts: readonly string[], tintOf: (i: number) => Tint | undefined): string => {
    const parts = texts.map((text, i) => {
      const cut = isCut ? fitted(text, widths[i]!) : text;
      const tint = tintOf(i);
      const shown = tint ? paint(tint, cut) : cut;
      const isLast = i === texts.length - 1;
      return isLast ? shown : shown + padded(cut, widths[i]!).slice(cut.length);
    });
    return parts.join(GAP).trimEnd();
  };
  const head = line(
    columns.map(({ title }) => title),
    () => 'dim',
  );
  const body = rows.map((row, at) => line(cells[at]!, (i) => columns[i]!.tint?.(row)));
  return [head, ...body].join('\n');
}

/** Takes from the widest until all fit; nothing if that leaves too little of one. */
function shrunk(natural: readonly number[], room: number): number[] | undefined {
  const widths = [...natural];
  let over = widths.reduce((sum, each) => sum + each, 0) - room;
  while (over > 0) {
    const most = Math.max(...widths);
    if (most <= LEAST_WIDTH) return undefined;
    const next = Math.max(LEAST_WIDTH, ...widths.filter((each) => each < most));
    const widest = widths.findIndex((each) => each === most);
    const taken = Math.min(over, Math.max(1, most - next));
    widths[widest] = most - taken;
    over -= taken;
  }
  return widths;
}

function stacked<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  { width, paint }: TableOptions,
): string {
  const blocks = rows.map((row, at) => {
    const lines = columns.map(({ title, tint }, i) => {
      const label = i === 0 ? '' : `  ${title}: `;
      const cut = fitted(cells[at]![i]!, Math.max(1, width - label.length));
      const colour = tint?.(row);
      return label + (colour ? paint(colour, cut) : cut);
    });
    return lines.join('\n');
  });
  return blocks.join('\n');
}
