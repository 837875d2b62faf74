/** Entries on their way to a thread: numbers in one block, texts apart. Objects would cost more than all the rest. */

import type { AuditEntry, Shared } from './audit-entry.js';

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

/** In `numbers`, per entry: kind, time, length of its text, and five more that depend on the kind. */
const COLUMNS = 8;
const [INTENT, CALL, GAP] = [0, 1, 2] as const;
const NONE = -1;
/** In place of a length: the text is that of the entry before. */
const SAME = -2;
const ENTRIES_AT_FIRST = 16;

/** Entries that wait. What is put in is copied out of its object, which can be forgotten at once. */
export class Page {
  readonly first: number;
  length = 0;
  /** Of all texts. */
  characters = 0;
  #numbers: Float64Array;
  readonly #shared = new Map<Shared, number>();
  readonly #texts: string[] = [];
  #lastParams: string | undefined;
  #lastShared: Shared | undefined;
  #lastNumber = NONE;

  /** `room`: what another one has left, since large blocks of memory are given back late. */
  constructor(first: number, room?: Float64Array) {
    this.first = first;
    this.#numbers = room ?? new Float64Array(ENTRIES_AT_FIRST * COLUMNS);
  }

  /** For the next one, when this one is done with. */
  get room(): Float64Array {
    return this.#numbers;
  }

  /** Returns how many characters that adds. */
  add(entry: AuditEntry): number {
    const before = this.characters;
    this.#put(entry);
    return this.characters - before;
  }

  #put(entry: AuditEntry): void {
    const at = this.length++ * COLUMNS;
    if (at === this.#numbers.length) this.#grow();
    const numbers = this.#numbers;
    numbers[at + 1] = entry.time;
    if (entry.kind === 'gap') {
      numbers[at] = GAP;
      numbers[at + 2] = this.#text(entry.reason);
      numbers[at + 3] = entry.lost;
      return;
    }
    numbers[at] = INTENT;
    numbers[at + 2] = this.#params(entry.params);
    numbers[at + 3] = this.#number(entry.shared);
    numbers[at + 4] = entry.session === undefined ? NONE : this.#text(entry.session);
    if (entry.kind === 'intent') return;
    numbers[at] = CALL;
    numbers[at + 5] = entry.ms;
    numbers[at + 6] = entry.sizeOut;
    numbers[at + 7] = entry.intent ?? NONE;
  }

  toBatch(writer: string): Batch {
    const numbers = this.#numbers.slice(0, this.length * COLUMNS);
    const shared = [...this.#shared.keys()];
    return { writer, first: this.first, shared, numbers, texts: this.#texts.join('') };
  }

  #grow(): void {
    const larger = new Float64Array(this.#numbers.length * 2);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  /** Who calls the same thing again and again often says the same. */
  #params(params: string): number {
    if (params === this.#lastParams) return SAME;
    this.#lastParams = params;
    return this.#text(params);
  }

  #text(text: string): number {
    this.#texts.push(text);
    this.characters += text.length;
    return text.length;
  }

  #number(shared: Shared): number {
    if (shared === this.#lastShared) return this.#lastNumber;
    let number = this.#shared.get(shared);
    if (number === undefined) this.#shared.set(shared, (number = this.#shared.size));
    this.#lastShared = shared;
    this.#lastNumber = number;
    return number;
  }
}

/** One after the other: a reader that keeps none of them has one at a time. */
export function eachEntry(batch: Batch, take: (entry: AuditEntry) => void): void {
  const { first, shared, numbers, texts } = batch;
  let n = first;
  let place = 0;
  let params = '';
  for (let at = 0; at < numbers.length; at += COLUMNS, n++) {
    const time = numbers[at + 1]!;
    if (numbers[at] === GAP) {
      const reason = texts.slice(place, (place += numbers[at + 2]!));
      take({ kind: 'gap', n, time, lost: numbers[at + 3]!, reason });
      continue;
    }
    if (numbers[at + 2] !== SAME) params = texts.slice(place, (place += numbers[at + 2]!));
    const common = shared[numbers[at + 3]!]!;
    const length = numbers[at + 4]!;
    const session = length === NONE ? undefined : texts.slice(place, (place += length));
    if (numbers[at] === INTENT) {
      take({ kind: 'intent', n, time, shared: common, session, params });
      continue;
    }
    const announced = numbers[at + 7]!;
    take({
      kind: 'call',
      n,
      time,
      shared: common,
      session,
      params,
      ms: numbers[at + 5]!,
      sizeOut: numbers[at + 6]!,
      intent: announced === NONE ? undefined : announced,
    });
  }
}
