/** The checked tokens that callers showed, to exchange them. They are in memory only, and go to no server. */

/** The token of one person. */
interface SubjectToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

const MOST_PEOPLE = 10_000;

export class SubjectTokens {
  readonly #known = new Map<string, SubjectToken>();
  /** Called when there is a token of a person who had none. */
  onNew: (() => void) | undefined;

  /** The token that lasts longest counts. */
  note(person: string, token: string, until: number): void {
    const before = this.#live(person);
    if (before && before.until >= until) return;
    this.#known.delete(person);
    this.#known.set(person, { token, until });
    const [oldest] = this.#known.size > MOST_PEOPLE ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    if (!before) this.onNew?.();
  }

  /** `undefined`: this person has shown no token that still counts. */
  of(person: string): string | undefined {
    return this.#live(person)?.token;
  }

  #live(person: string): SubjectToken | undefined {
    const known = this.#known.get(person);
    if (!known || known.until > Date.now()) return known;
    this.#known.delete(person);
    return undefined;
  }
}
