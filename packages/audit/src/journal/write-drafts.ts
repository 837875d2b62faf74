/** A batch as the text that is kept. Put together by hand, in small numbers: there are a lot of records. */

import { hash } from 'node:crypto';

import { JsonScan, memberText, NO_MORE } from '@callsign/core';

import type {
  AuditEntry,
  CallEntry,
  GapEntry,
  IntentEntry,
  Shared,
} from '../record/audit-entry.js';
import type { GapRecord } from '../record/audit-record.js';
import type { Draft } from '../store/audit-store.js';
import { type Batch, eachEntry } from '../store/batch.js';
import { LineBuffer } from './line-buffer.js';

/** Arguments without their secrets. */
export type Redact = (argumentsJson: string, inputSchema: string | undefined) => string;

/** Short enough that little is read for one record, and little is kept too long for one that is young. */
const LONGEST = 64 * 1024;
const COMMA = 44;
const BRACKET = 91;
/** In place of a fingerprint that is the one before it, of those that have the same in common. */
const AS_BEFORE = '0';

/** What calls in a segment have in common, and the last of them: the next one is often the same. */
interface Common {
  readonly shared: Shared;
  readonly number: number;
  params: string;
  fingerprint: string;
  sizeOut: number;
}

/**
 * A line per record. That of a gap is the record; any other is an array, whose first element is what the
 * call shares with others, or the number of what was there before, and the rest a row (record-row.ts).
 * Arguments themselves are kept only if there is a way to redact them.
 */
export function writeDrafts(batch: Batch, redact?: Redact): Draft[] {
  const writer = new DraftWriter(batch, redact);
  eachEntry(batch, (entry) => writer.add(entry));
  return writer.end();
}

class DraftWriter {
  readonly #writer: string;
  readonly #first: number;
  readonly #firstTime: number;
  readonly #redact: Redact | undefined;
  readonly #drafts: Draft[] = [];
  readonly #lines = new LineBuffer();
  readonly #known = new Map<Shared, Common>();
  #lastCommon: Common | undefined;
  #lastNumber: number;

  constructor({ writer, first, numbers }: Batch, redact: Redact | undefined) {
    this.#writer = writer;
    this.#first = first;
    this.#firstTime = Math.trunc(numbers[1] ?? 0);
    this.#redact = redact;
    this.#lastNumber = first - 1;
  }

  add(entry: AuditEntry): void {
    if (this.#lines.length >= LONGEST) this.#finish();
    this.#lastNumber = entry.n;
    this.#lines.beginLine();
    if (entry.kind === 'gap') this.#lines.text(gapText(entry, this.#writer));
    else this.#addCall(entry);
  }

  end(): Draft[] {
    if (this.#lines.length > 0) this.#finish();
    return this.#drafts;
  }

  #addCall(entry: CallEntry | IntentEntry): void {
    const { shared, params } = entry;
    const sizeOut = entry.kind === 'call' ? entry.sizeOut : 0;
    const common = this.#commonOf(shared);
    if (!common) {
      const fingerprint = fingerprintText(params);
      this.#remember({ shared, number: this.#known.size, params, fingerprint, sizeOut });
      this.#lines.text(this.#begin(shared));
      return this.#writeRow(entry, sizeOut, fingerprint);
    }
    this.#lines.integer(BRACKET, common.number);
    if (this.#isLike(entry, common)) return this.#writeShortRow(entry);
    const before = common.fingerprint;
    if (params !== common.params) {
      common.params = params;
      common.fingerprint = fingerprintText(params);
    }
    common.sizeOut = sizeOut;
    const isSame = common.fingerprint === before;
    this.#writeRow(entry, sizeOut, isSame ? AS_BEFORE : common.fingerprint);
  }

  #commonOf(shared: Shared): Common | undefined {
    if (this.#lastCommon?.shared !== shared) this.#lastCommon = this.#known.get(shared);
    return this.#lastCommon;
  }

  #remember(common: Common): void {
    this.#known.set(common.shared, common);
    this.#lastCommon = common;
  }

  /** Whether nothing but the time tells it from the one before. */
  #isLike(entry: CallEntry | IntentEntry, common: Common): entry is CallEntry {
    return (
      entry.kind === 'call' &&
      entry.sizeOut === common.sizeOut &&
      entry.params === common.params &&
      entry.intent === undefined &&
      entry.session === undefined &&
      !this.#redact
    );
  }

  #begin(shared: Shared): string {
    const start = { writer: this.#writer, n: this.#first, time: this.#firstTime };
    return `[${JSON.stringify(start).slice(0, -1)},${shared.text.slice(1)}`;
  }

  #writeShortRow({ time, ms }: CallEntry): void {
    const lines = this.#lines;
    lines.integer(COMMA, Math.trunc(time) - this.#firstTime);
    lines.integer(COMMA, Math.round(ms * 1000));
    lines.text(']');
  }

  #writeRow(entry: CallEntry | IntentEntry, sizeOut: number, fingerprint: string): void {
    const lines = this.#lines;
    const redact = this.#redact;
    const isCall = entry.kind === 'call';
    lines.integer(COMMA, entry.n - this.#first);
    lines.integer(COMMA, Math.trunc(entry.time) - this.#firstTime);
    lines.integer(COMMA, entry.params.length);
    lines.integer(COMMA, isCall ? Math.round(entry.ms * 1000) : 0);
    lines.integer(COMMA, sizeOut);
    lines.text(',');
    lines.text(fingerprint);
    const intent = isCall && entry.intent !== undefined ? entry.intent - this.#first : null;
    const kept = redact ? keptText(entry, redact) : null;
    if (intent !== null || entry.session !== undefined || kept !== null) {
      lines.text(`,${JSON.stringify([intent, entry.session ?? null, kept]).slice(1, -1)}`);
    }
    lines.text(']');
  }

  #finish(): void {
    this.#drafts.push({ n: this.#lastNumber, ...this.#lines.take() });
    this.#known.clear();
    this.#lastCommon = undefined;
  }
}

function fingerprintText(params: string): string {
  const given = argumentsIn(params);
  return given === undefined ? 'null' : `"${hash('sha256', given, 'base64')}"`;
}

function keptText({ params, shared }: CallEntry | IntentEntry, redact: Redact): string | null {
  const given = argumentsIn(params);
  if (given === undefined) return null;
  return redact(given, memberText(shared.definition ?? '{}', 'inputSchema'));
}

function gapText({ kind, n, time, lost, reason }: GapEntry, writer: string): string {
  const record: GapRecord = {
    kind,
    id: `${writer}-${n}`,
    time: new Date(time).toISOString(),
    severity: 'error',
    lost,
    reason,
  };
  return JSON.stringify(record);
}

/** What the parameters hold under that key, to the letter; the last of several, as in `JSON.parse`. */
function argumentsIn(params: string): string | undefined {
  // Whoever took them off the wire has looked for control characters.
  const scan = new JsonScan(params, false);
  let found: string | undefined;
  let at = scan.firstMember(scan.skipSpace(0));
  while (at >= 0) {
    const isFound = scan.key === 'arguments';
    const end = scan.skipValue(at);
    if (isFound) found = params.slice(at, end);
    at = scan.nextMember(end);
  }
  return at === NO_MORE ? found : undefined;
}

/** As records show it: equal for arguments that are equal to the letter. */
export function fingerprintOf(argumentsJson: string): string {
  return `sha256:${hash('sha256', argumentsJson)}`;
}
