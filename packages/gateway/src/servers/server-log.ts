/**
 * The recent lines that a server printed, and what was noticed about it. Bounded, in memory. What
 * looks like a secret is redacted when they are read. What the operator gave the server is hidden
 * before.
 */

import { Listeners, type Unsubscribe } from '@callsign/core';
import { REDACTED, redactText } from '@callsign/core/secrets';

/** Where a line comes from. `callsign`: our own words about the server, not its own. */
export type LineOrigin = 'stderr' | 'stdout' | 'callsign';

/** A line as operators see it. */
export interface LogLine {
  /** Counts the lines of a server, from 1. */
  readonly seq: number;
  /** As ISO text. */
  readonly time: string;
  readonly text: string;
  readonly from: LineOrigin;
}

export interface ServerLogOptions {
  readonly maxLines?: number;
  /** Characters of all lines together. */
  readonly maxLength?: number;
}

const MAX_LINES = 1_000;
const MAX_LENGTH = 256 * 1024;
const MAX_LINE = 4_000;
const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;
const KEY_ENDS = /-----END [A-Z0-9 ]*PRIVATE KEY-----/;

interface RawLine {
  readonly seq: number;
  readonly at: number;
  readonly text: string;
  readonly from: LineOrigin;
}

/** One log for one server. It survives restarts of the server, so that a crash can be explained. */
export class ServerLog {
  readonly #maxLines: number;
  readonly #maxLength: number;
  readonly #listeners = new Listeners<LogLine>();
  #lines: RawLine[] = [];
  #length = 0;
  #seq = 0;
  /** Whether the current lines belong to a private key. */
  #isInKey = false;

  constructor({ maxLines = MAX_LINES, maxLength = MAX_LENGTH }: ServerLogOptions = {}) {
    this.#maxLines = maxLines;
    this.#maxLength = maxLength;
  }

  /** Keeps a line, and drops the oldest ones beyond the limits. */
  add(line: string, from: LineOrigin = 'stderr'): void {
    const text = this.#withoutKey(line);
    if (text === undefined) return;
    const raw = { seq: ++this.#seq, at: Date.now(), text, from };
    this.#lines.push(raw);
    this.#length += text.length;
    while (this.#lines.length > this.#maxLines || this.#length > this.#maxLength) {
      this.#length -= this.#lines.shift()!.text.length;
    }
    if (!this.#listeners.isEmpty) this.#listeners.tell(shownLine(raw));
  }

  /** The kept lines with a number above `after`. */
  lines(after = 0): LogLine[] {
    return this.#lines.filter(({ seq }) => seq > after).map(shownLine);
  }

  /** The lines after `after` that the server printed, without our own words about it. */
  said(after = 0): LogLine[] {
    const own = this.#lines.filter(({ seq, from }) => seq > after && from !== 'callsign');
    return own.map(shownLine);
  }

  /** Sends later lines to the listener, redacted. */
  subscribe(listener: (line: LogLine) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  /** A private key has many lines, and one line alone does not look like a key. `undefined`: nothing to show. */
  #withoutKey(line: string): string | undefined {
    if (this.#isInKey) {
      this.#isInKey = !KEY_ENDS.test(line);
      return undefined;
    }
    // Few lines have dashes, so most need no search.
    if (!line.includes('-----') || !KEY_BEGINS.test(line)) return line.slice(0, MAX_LINE);
    this.#isInKey = !KEY_ENDS.test(line);
    return REDACTED;
  }
}

function shownLine({ seq, at, text, from }: RawLine): LogLine {
  return { seq, time: new Date(at).toISOString(), text: redactText(text), from };
}
