/** Standard output: the result of a command, as text for people or as JSON for programs. */

import { createPaint, wantsColour, type Paint, type Meaning } from './paint.js';
import { indented } from '../text/indented-json.js';
import { onOneLine, printableJson } from '../text/printable.js';
import { shownTime } from '../text/shown-time.js';
import { wrapped } from '../text/wrapped.js';
import { renderTable, type Column } from './table.js';

/** Increased when the meaning of something in the JSON of a command changes. */
const SCHEMA_VERSION = 1;
const LABEL_WIDTH = 11;

/** Only results go here. Logs, progress and questions go to standard error. */
export interface Output {
  readonly paint: Paint;
  /** Columns of the terminal; `Infinity` if there is none. */
  readonly width: number;
  /** Writes lines. Make untrusted text printable first. */
  lines(...lines: readonly string[]): void;
  /** Writes a label and its value. A long value wraps beside the label. */
  field(label: string, value: string, meaning?: Meaning): void;
  /** A time from ISO text: local on a terminal, UTC in a pipe. */
  time(iso: string): string;
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void;
  /** Writes a document of our own as JSON, with the version of its schema. */
  json(document: object): void;
  /** Writes JSON from elsewhere: indented on a terminal, unchanged in a pipe. */
  rawJson(json: string): void;
}

export interface OutputOptions {
  readonly stream: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Anything but line breaks, tabs and our own colours, in case a caller forgot to make it printable.
 */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /\x1b(?!\[\d{1,2}m)|[\0-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;

/** A closed pipe is not an error. Control characters that reach it are replaced. */
export function createOutput({ stream, env }: OutputOptions): Output {
  const paint = createPaint(wantsColour(env, stream));
  const width = stream.isTTY ? Math.max(20, stream.columns || 80) : Infinity;
  let isRead = true;
  // A reader that stops early, such as `| head`, is not an error.
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
    field(label, value, meaning) {
      const texts = wrapped(onOneLine(value), width - LABEL_WIDTH);
      const painted = texts.map((text) => (meaning ? paint(meaning, text) : text));
      const start = paint('aside', label.padEnd(LABEL_WIDTH - 1));
      lines(`${start} ${painted.join(`\n${' '.repeat(LABEL_WIDTH)}`)}`);
    },
    time: (iso) => shownTime(iso, stream.isTTY),
    table: (rows, columns) => lines(renderTable(rows, columns, { width, paint })),
    json: (document) => {
      const indent = stream.isTTY ? 2 : undefined;
      const whole = { schemaVersion: SCHEMA_VERSION, ...document };
      write(printableJson(JSON.stringify(whole, null, indent)));
    },
    rawJson: (json) => write(printableJson(stream.isTTY ? indented(json) : json)),
  };
}
