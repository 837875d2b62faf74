/**
 * Calls in flight, by id: a map for entries that come and go thousands of times a second.
 *
 * A `Map` keeps its old tables after it grows, and each old table keeps alive the entries that it
 * held. Once a table has moved to the old generation, every later call moves there too, and the
 * garbage collector has ten times the work. This map has one pair of arrays and keeps nothing that
 * was removed.
 */

type Id = string | number;

const FIRST_BITS = 2;
/** Spreads consecutive ids over the whole range. */
const GOLDEN = 0x9e3779b1;
/** Random, so that clients cannot choose ids that collide. */
const SEED = Math.trunc(Math.random() * 2 ** 32);

/** An open-addressing hash table with the interface of a `Map`, as far as calls need it. */
export class InFlight<K extends Id, V> {
  size = 0;
  #bits = FIRST_BITS;
  /** An id is at its own index, or at the next free one. */
  #ids: (K | undefined)[] = empty(FIRST_BITS);
  #values: (V | undefined)[] = empty(FIRST_BITS);

  has(id: K): boolean {
    return this.#ids[this.#placeOf(id)] !== undefined;
  }

  get(id: K): V | undefined {
    return this.#values[this.#placeOf(id)];
  }

  set(id: K, value: V): void {
    let place = this.#placeOf(id);
    if (this.#ids[place] === undefined) {
      // At most half full, so that a free index is always near.
      if (this.size * 2 >= this.#ids.length) {
        this.#grow();
        place = this.#placeOf(id);
      }
      this.size++;
    }
    this.#ids[place] = id;
    this.#values[place] = value;
  }

  delete(id: K): boolean {
    const place = this.#placeOf(id);
    if (this.#ids[place] === undefined) return false;
    this.size--;
    this.#free(place);
    return true;
  }

  clear(): void {
    this.size = 0;
    this.#bits = FIRST_BITS;
    this.#ids = empty(FIRST_BITS);
    this.#values = empty(FIRST_BITS);
  }

  /** In no order. A copy: later changes do not affect it. */
  values(): V[] {
    return this.#values.filter((_, place) => this.#ids[place] !== undefined) as V[];
  }

  /** The index of the id, or the index where it would be inserted. */
  #placeOf(id: K): number {
    const ids = this.#ids;
    const last = ids.length - 1;
    let place = this.#homeOf(id);
    for (;;) {
      const there = ids[place];
      if (there === undefined || there === id) return place;
      place = (place + 1) & last;
    }
  }

  #homeOf(id: K): number {
    const number = typeof id === 'number' ? id : mixed(id);
    return Math.imul(number, GOLDEN) >>> (32 - this.#bits);
  }

  /**
   * Frees an index. Later entries that had to move on because it was taken move back, so that a
   * search never stops too early.
   */
  #free(place: number): void {
    const [ids, values] = [this.#ids, this.#values];
    const last = ids.length - 1;
    let gap = place;
    for (let next = (gap + 1) & last; ids[next] !== undefined; next = (next + 1) & last) {
      const fromHome = (next - this.#homeOf(ids[next]!)) & last;
      if (fromHome < ((next - gap) & last)) continue;
      ids[gap] = ids[next];
      values[gap] = values[next];
      gap = next;
    }
    ids[gap] = undefined;
    values[gap] = undefined;
  }

  #grow(): void {
    const [ids, values] = [this.#ids, this.#values];
    this.#bits++;
    this.#ids = empty(this.#bits);
    this.#values = empty(this.#bits);
    for (const [at, id] of ids.entries()) {
      if (id === undefined) continue;
      const place = this.#placeOf(id);
      this.#ids[place] = id;
      this.#values[place] = values[at];
    }
  }
}

/** A hash of a text id. */
function mixed(text: string): number {
  let number = SEED;
  for (let at = 0; at < text.length; at++) {
    number = Math.imul(number ^ text.charCodeAt(at), GOLDEN);
    number ^= number >>> 15;
  }
  return number;
}

/** `2 ** bits` free slots. Most maps never need more than the first few. */
function empty<T>(bits: number): (T | undefined)[] {
  if (bits === FIRST_BITS) return [undefined, undefined, undefined, undefined];
  return Array.from({ length: 2 ** bits });
}
