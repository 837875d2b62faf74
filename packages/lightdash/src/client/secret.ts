/** A value that must be sent but never shown. It prints as a mask, or not at all. */

const MASK = '[secret]';

export class Secret {
  // A private field, so that no inspection of the object shows it.
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  expose(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }
}
