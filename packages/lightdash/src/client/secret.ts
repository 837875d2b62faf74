/** A value that must be sent but never shown. Printed or serialised, it is a mask. */

const MASK = '[secret]';

/** Wraps tokens and header values from the moment when they are read. */
export class Secret {
  // A private field, so that no inspection of the object shows it.
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Call it only where it is sent. */
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
