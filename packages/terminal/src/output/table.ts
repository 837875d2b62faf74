/**
 * Renders tables for people: fitted to the width of a terminal, stacked if it is too narrow or would cut more, uncut
 * in a pipe.
 */

import { displayWidth, fitted, padded, shortened } from '../text/display-width.js';
import { onOneLine } from '../text/printable.js';
import { wrapped } from '../text/wrapped.js';
import type { Meaning, Paint } from './paint.js';

/** How a column gets its cells from rows. */
export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  readonly tint?: (row: Row) => Meaning | undefined;
  /** Cut only beyond the length of any usual name: for names that people type again. */
  readonly isWhole?: boolean;
  /** Cut to one line, and left out if there is no space. Other cells wrap. */
  readonly isOptional?: boolean;
}

export interface TableOptions {
  /** `Infinity`: nothing is cut. */
  readonly width: number;
  readonly paint: Paint;
}

const GAP = '  ';
const MAX_CELL_LINES = 4;
/** Columns. Narrower cells are of no use. */
const LEAST_WIDTH = 8;
/** A word of this width is not broken while another column can be narrower. */
const WIDEST_WORD = 16;
/** The last column wraps, so it needs space for some words. */
const LEAST_LAST_WIDTH = 16;
/** On a terminal: one longer name must not take the space of the other columns. */
const WIDEST_WHOLE = 64;
/** In a pipe: one long cell must not push the cells beside it far away. */
const WIDEST_PADDING = 60;

/** The whole table as one text. Cells must be printable text. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width, paint }: TableOptions,
): string {
  const shown = fittingColumns(rows, columns, width);
  if (!shown || cutsMoreThanStack(rows, shown, width))
    return stacked(rows, columns, { width, paint });
  const { widths } = shown;
  const last = widths.length - 1;
  const linesOf = (
    texts: readonly string[],
    tintOf: (i: number) => Meaning | undefined,
  ): string[] => {
    const cells = texts.map((text, i) => {
      if (width === Infinity) return [text];
      const isCut = shown.columns[i]!.isOptional && i !== last;
      return isCut ? [fitted(text, widths[i]!)] : bounded(text, widths[i]!);
    });
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, at) =>
      cells
        .map((lines, i) => {
          const text = lines[at] ?? '';
          const tint = text === '' ? undefined : tintOf(i);
          const filling = i === last ? '' : padded(text, widths[i]!).slice(text.length);
          return (tint ? paint(tint, text) : text) + filling;
        })
        .join(GAP)
        .trimEnd(),
    );
  };
  const head = linesOf(
    shown.columns.map(({ title }) => title),
    () => 'aside',
  );
  const body = rows.flatMap((row) =>
    linesOf(
      shown.columns.map((column) => cellOf(column, row, width)),
      (i) => shown.columns[i]!.tint?.(row),
    ),
  );
  return [...head, ...body].join('\n');
}

/** The text of a cell on one line. Names of any usual length are whole. */
function cellOf<Row>({ text, isWhole }: Column<Row>, row: Row, width: number): string {
  const cell = onOneLine(text(row));
  if (!isWhole || width === Infinity) return cell;
  return shortened(cell, Math.max(WIDEST_WHOLE, Math.floor(width / 2)));
}

/**
 * The lines of a cell. If there are too many, the last one is cut. A path is cut in the middle,
 * because its end tells it from others.
 */
function bounded(text: string, columns: number): string[] {
  const lines = wrapped(text, columns);
  if (lines.length <= MAX_CELL_LINES) return lines;
  if (longestWord(text) > columns) {
    for (let width = columns * MAX_CELL_LINES; width > columns; width--) {
      const shorter = wrapped(shortened(text, width), columns);
      if (shorter.length <= MAX_CELL_LINES) return shorter;
    }
  }
  const rest = lines.slice(MAX_CELL_LINES - 1).join(' ');
  return [...lines.slice(0, MAX_CELL_LINES - 1), fitted(rest, columns)];
}

/** Whether a cell of this width is cut. */
function isTooLong(text: string, columns: number): boolean {
  return wrapped(text, Math.max(1, columns)).length > MAX_CELL_LINES;
}

/** Whether cells are cut that would all be whole in a stack. */
function cutsMoreThanStack<Row>(
  rows: readonly Row[],
  { columns, widths }: FittingColumns<Row>,
  width: number,
): boolean {
  if (width === Infinity) return false;
  const cut = columns.flatMap((column, i) => {
    if (column.isOptional && i !== columns.length - 1) return [];
    const texts = rows.map((row) => cellOf(column, row, width));
    return texts
      .filter((text) => isTooLong(text, widths[i]!))
      .map((text) => ({ text, space: width - labelOf(column, i).length }));
  });
  return cut.length > 0 && !cut.some(({ text, space }) => isTooLong(text, space));
}

interface FittingColumns<Row> {
  readonly columns: readonly Column<Row>[];
  readonly widths: readonly number[];
}

/**
 * Leaves out optional columns, the last one first, until the others fit without breaking short
 * words. `undefined`: they never fit.
 */
function fittingColumns<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): FittingColumns<Row> | undefined {
  const widest = (measure: (text: string) => number): number[] =>
    columns.map((column) =>
      rows.reduce(
        (most, row) => Math.max(most, measure(cellOf(column, row, width))),
        column.title.length,
      ),
    );
  const natural = widest(displayWidth);
  if (width === Infinity) {
    return { columns, widths: natural.map((each) => Math.min(each, WIDEST_PADDING)) };
  }
  const space = width - GAP.length * (columns.length - 1);
  const least = natural.map((each, i) => {
    if (columns[i]!.isWhole) return each;
    const isLast = i === columns.length - 1;
    return Math.min(each, isLast ? LEAST_LAST_WIDTH : LEAST_WIDTH);
  });
  const words = widest(longestWord);
  const unbroken = least.map((each, i) => {
    const isFree = columns[i]!.isOptional || words[i]! > WIDEST_WORD;
    return isFree ? each : Math.max(each, words[i]!);
  });
  const dropped = columns.findLastIndex(({ isOptional }) => isOptional);
  const widths = shrunk(natural, unbroken, space);
  if (widths) return { columns, widths };
  if (dropped !== -1) return fittingColumns(rows, columns.toSpliced(dropped, 1), width);
  const narrow = shrunk(natural, least, space);
  return narrow && { columns, widths: narrow };
}

/** Narrows the widest columns until all fit. `undefined`: one would become too narrow. */
function shrunk(
  natural: readonly number[],
  least: readonly number[],
  space: number,
): number[] | undefined {
  const widths = [...natural];
  for (let over = total(widths) - space; over > 0; over--) {
    const loose = widths.map((each, i) => (each > least[i]! ? each : 0));
    const widest = Math.max(...loose);
    if (widest === 0) return undefined;
    widths[loose.lastIndexOf(widest)]!--;
  }
  return widths;
}

function longestWord(text: string): number {
  return Math.max(...text.split(' ').map(displayWidth));
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, 0);
}

/** What stands before a cell in a stack. */
function labelOf({ title }: { readonly title: string }, i: number): string {
  return i === 0 ? '' : `  ${title}: `;
}

/** One block of lines per row, with the first column as its heading. */
function stacked<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width, paint }: TableOptions,
): string {
  const blocks = rows.map((row) =>
    columns.flatMap((column, i) => {
      const { tint } = column;
      const cell = cellOf(column, row, width);
      if (i > 0 && cell === '') return [];
      const label = labelOf(column, i);
      const colour = tint?.(row);
      return bounded(cell, Math.max(1, width - label.length)).map((line, at) => {
        const start = at === 0 ? label : ' '.repeat(label.length);
        return start + (colour ? paint(colour, line) : line);
      });
    }),
  );
  return blocks.map((lines) => lines.join('\n')).join('\n');
}
