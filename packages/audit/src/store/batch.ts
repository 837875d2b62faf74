/** Entries on their way to a thread: numbers in one block, texts apart. Objects would cost more than all the rest. */

import type {
  AuditEntry,
  CallEntry,
  GapEntry,
  IntentEntry,
  Shared,
} from '../record/audit-entry.js';

/** What one writer hands over at once, in a form that is cheap to copy. `eachEntry` reads it. */
export interface Batch {
  readonly writer: string;
  /** The number of the first entry; the others follow it without a gap. */
  readonly first: number;
  readonly shared: readonly Shared[];
  readonly numbers: Float64Array;
  /** All of them in one, since that is one copy. */
  readonly texts: string;
}

/** How an entry begins in `numbers`. Its time follows, and then what `Page` puts there for its kind. */
const [INTENT, CALL, GAP, LIKE_BEFORE] = [0, 1, 2, 3] as const;
const NONE = -1;
/** In place of a length: the text is that of the entry before. */
const SAME = -2;
/** Of one entry. */
const MOST_NUMBERS = 8;
const NUMBERS_AT_FIRST = 128;

/** Entries that wait. What is put in is copied out of its object, which can be forgotten at once. */
export class Page {
  readonly first: number;
  length = 0;
  /** Of all texts. */
  characters = 0;
  #numbers: Float64Array;
  /** How many of them are in use. */
  #end = 0;
  readonly #shared = new Map<Shared, number>();
  readonly #texts: string[] = [];
  /** Who calls the same thing again and again often says the same, and gets the same. */
  #lastParams: string | undefined;
  #lastShared: Shared | undefined;
  #lastSizeOut = NONE;

  /** `room`: what another one has left, since large blocks of memory are given back late. */
  constructor(first: number, room?: Float64Array) {
    this.first = first;
    this.#numbers = room ?? new Float64Array(NUMBERS_AT_FIRST);
  }

  /** For the next one, when this one is done with. */
  get room(): Float64Array {
    return this.#numbers;
  }

  /** Returns how many characters that adds. */
  add(entry: AuditEntry): number {
    const before = this.characters;
    this.length++;
    if (this.#end + MOST_NUMBERS > this.#numbers.length) this.#grow();
    if (entry.kind === 'call') this.#putCall(entry);
    else if (entry.kind === 'intent') this.#putIntent(entry);
    else this.#putGap(entry);
    return this.characters - before;
  }

  toBatch(writer: string): Batch {
    const numbers = this.#numbers.slice(0, this.#end);
    const shared = [...this.#shared.keys()];
    return { writer, first: this.first, shared, numbers, texts: this.#texts.join('') };
  }

  #putCall(entry: CallEntry): void {
    if (this.#isLikeBefore(entry)) {
      this.#put(LIKE_BEFORE, entry.time);
      this.#numbers[this.#end++] = entry.ms;
      return;
    }
    this.#put(CALL, entry.time);
    this.#putFacts(entry);
    const numbers = this.#numbers;
    numbers[this.#end++] = entry.ms;
    numbers[this.#end++] = entry.sizeOut;
    numbers[this.#end++] = entry.intent ?? NONE;
    this.#lastShared = entry.shared;
    this.#lastSizeOut = entry.sizeOut;
  }

  #putIntent(entry: IntentEntry): void {
    this.#put(INTENT, entry.time);
    this.#putFacts(entry);
    this.#lastShared = undefined;
  }

  #putGap({ time, reason, lost }: GapEntry): void {
    this.#put(GAP, time);
    this.#numbers[this.#end++] = this.#text(reason);
    this.#numbers[this.#end++] = lost;
    this.#lastShared = undefined;
  }

  #put(kind: number, time: number): void {
    this.#numbers[this.#end++] = kind;
    this.#numbers[this.#end++] = time;
  }

  #putFacts({ params, shared, session }: CallEntry | IntentEntry): void {
    const numbers = this.#numbers;
    numbers[this.#end++] = params === this.#lastParams ? SAME : this.#text(params);
    numbers[this.#end++] = this.#number(shared);
    numbers[this.#end++] = session === undefined ? NONE : this.#text(session);
    this.#lastParams = params;
  }

  #isLikeBefore({ shared, sizeOut, params, session, intent }: CallEntry): boolean {
    return (
      shared === this.#lastShared &&
      sizeOut === this.#lastSizeOut &&
      session === undefined &&
      intent === undefined &&
      params === this.#lastParams
    );
  }

  #grow(): void {
    const larger = new Float64Array(this.#numbers.length * 2);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  #text(text: string): number {
    this.#texts.push(text);
    this.characters += text.length;
    return text.length;
  }

  #number(shared: Shared): number {
    let number = this.#shared.get(shared);
    if (number === undefined) this.#shared.set(shared, (number = this.#shared.size));
    return number;
  }
}

/** One after the other: a reader that keeps none of them has one at a time. */
export function eachEntry(batch: Batch, take: (entry: AuditEntry) => void): void {
  const { first, numbers, texts } = batch;
  let [at, place] = [0, 0];
  const text = (length: number): string => texts.slice(place, (place += length));
  let [params, shared, sizeOut] = ['', batch.shared[0]!, 0];
  for (let n = first; at < numbers.length; n++) {
    const kind = numbers[at++];
    const time = numbers[at++]!;
    if (kind === LIKE_BEFORE) {
      const ms = numbers[at++]!;
      const [session, intent] = [undefined, undefined];
      take({ kind: 'call', n, time, shared, session, params, ms, sizeOut, intent });
      continue;
    }
    const length = numbers[at++]!;
    if (kind === GAP) {
      take({ kind: 'gap', n, time, reason: text(length), lost: numbers[at++]! });
      continue;
    }
    if (length !== SAME) params = text(length);
    shared = batch.shared[numbers[at++]!]!;
    const sessionLength = numbers[at++]!;
    const session = sessionLength === NONE ? undefined : text(sessionLength);
    if (kind === INTENT) {
      take({ kind: 'intent', n, time, shared, session, params });
      continue;
    }
    const ms = numbers[at++]!;
    sizeOut = numbers[at++]!;
    const announced = numbers[at++]!;
    const intent = announced === NONE ? undefined : announced;
    take({ kind: 'call', n, time, shared, session, params, ms, sizeOut, intent });
  }
}
