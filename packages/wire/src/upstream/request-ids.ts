/** The ids of our requests to one server. */

import { randomFillSync } from 'node:crypto';

const HALF_BITS = 15;
const HALF = 2 ** HALF_BITS - 1;
/** Four rounds make a change of one bit in the number change half of the bits of the id. */
const ROUNDS = 4;

/**
 * Ids that no server can guess, so that nothing it sends answers a request that it has not read,
 * and that do not repeat in a session, as the protocol demands. Each id is the number of its
 * request, shuffled with secret keys (a Feistel network). Ids have 30 bits, because some servers
 * keep them as 32-bit numbers, and are never 0, which some servers treat as a missing id.
 */
export class RequestIds {
  readonly #keys = randomFillSync(new Int32Array(ROUNDS));
  #count = 0;

  /** How many ids were given. */
  get count(): number {
    return this.#count;
  }

  next(): number {
    const id = this.#shuffled(this.#count++);
    return id === 0 ? this.next() : id;
  }

  #shuffled(number: number): number {
    let high = (number >>> HALF_BITS) & HALF;
    let low = number & HALF;
    for (let round = 0; round < ROUNDS; round++) {
      const mixed = high ^ mix(low ^ this.#keys[round]!);
      high = low;
      low = mixed;
    }
    return (high << HALF_BITS) | low;
  }
}

/** Half an id that depends on every bit of the value. */
function mix(value: number): number {
  const once = Math.imul(value, 0x9e3779b1);
  return Math.imul(once ^ (once >>> 15), 0x85ebca6b) >>> (32 - HALF_BITS);
}
