/** Standard output: what was asked for, as text for people or as JSON for programs. */

import { createPaint, wantsColour, type Paint } from './paint.js';
import { printableJson } from '../text/printable.js';
import { renderTable, type Column } from './table.js';

/** Grows when something in the JSON of any command changes its meaning. */
const SCHEMA_VERSION = 1;

export interface Output {
  readonly paint: Paint;
  /** Columns of the terminal; `Infinity` where there is none. */
  readonly width: number;
  /** Writes lines. What comes from strangers is to be made printable first. */
  lines(...lines: readonly string[]): void;
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void;
  /** Writes a document of ours. */
  json(document: object): void;
  /** Writes JSON that somebody else made, to the letter as far as a terminal can bear it. */
  rawJson(json: string): void;
}

export interface OutputOptions {
  readonly stream: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Anything but line breaks, tabs and our own colours: the last guard, for what was forgotten above. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /\x1b(?!\[\d{1,2}m)|[\0-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;

export function createOutput({ stream, env }: OutputOptions): Output {
  const paint = createPaint(wantsColour(env, stream));
  const width = stream.isTTY ? Math.max(20, stream.columns || 80) : Infinity;
  let isRead = true;
  // Who reads only the head of it, as `| head` does, has got what he wanted.
  stream.on('error', () => {
    isRead = false;
  });
  const write = (text: string): void => {
    if (isRead) stream.write(`${text}\n`);
  };
  const lines: Output['lines'] = (...texts) => {
    write(texts.join('\n').replace(FORBIDDEN, '\u{fffd}'));
  };
  return {
    paint,
    width,
    lines,
    table: (rows, columns) => lines(renderTable(rows, columns, { width, paint })),
    json: (document) => {
      const indent = stream.isTTY ? 2 : undefined;
      const whole = { schemaVersion: SCHEMA_VERSION, ...document };
      write(printableJson(JSON.stringify(whole, null, indent)));
    },
    rawJson: (json) => write(printableJson(json)),
  };
}
