/**
 * Seals what one instance tells another about a caller. Between instances, a message has parts that a client wrote. Only
 * what is sealed comes from an instance.
 */

import { Seal } from '../../keys/seal.js';

/** Another label than that of the ids that clients keep, so that no id can be taken for a caller. */
const LABEL = 'callsign caller 1';

export class CallerSeal {
  readonly #self: string;
  readonly #seal: Seal;

  /** `self`: the id of this instance. `secrets`: the newest first. */
  constructor(self: string, secrets: readonly string[]) {
    this.#self = self;
    this.#seal = new Seal(secrets, LABEL);
  }

  replace(secrets: readonly string[]): void {
    this.#seal.replace(secrets);
  }

  /** Only the instance with the id `to` can open it. */
  seal(value: object, to: string): string {
    return this.#seal.seal(JSON.stringify(value), to);
  }

  /** `undefined`: no instance has sealed this for us. */
  open<T extends object>(sealed: string): T | undefined {
    const text = this.#seal.open(sealed, this.#self);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }
}
