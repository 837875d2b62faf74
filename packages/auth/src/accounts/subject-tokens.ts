/** The checked tokens that callers showed, to exchange them. They are in memory only, and go to no server. */

/** The token of one person. */
interface SubjectToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** A server's provider has given nothing for it. */
  isRefused?: true;
}

const MOST_PEOPLE = 10_000;

/** Two issuers may have people of the same name. So each person is one of an issuer. */
export class SubjectTokens {
  readonly #known = new Map<string, SubjectToken>();
  /** Called when there is a token of a person who had none, or one that was refused. */
  onNew: (() => void) | undefined;

  /** The token that lasts longest counts. Any other one takes the place of a token that was refused. */
  note(issuer: string, person: string, token: string, until: number): void {
    const place = placeOf(issuer, person);
    const before = this.#live(place);
    const isRefused = before?.isRefused === true;
    if (before?.token === token || (before && !isRefused && before.until >= until)) return;
    this.#known.delete(place);
    this.#known.set(place, { token, until });
    const [oldest] = this.#known.size > MOST_PEOPLE ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    if (!before || isRefused) this.onNew?.();
  }

  /** `undefined`: this person has shown no token that still counts. */
  of(issuer: string, person: string): string | undefined {
    return this.#live(placeOf(issuer, person))?.token;
  }

  refuse(issuer: string, person: string, token: string): void {
    const known = this.#live(placeOf(issuer, person));
    if (known?.token === token) known.isRefused = true;
  }

  #live(place: string): SubjectToken | undefined {
    const known = this.#known.get(place);
    if (!known || known.until > Date.now()) return known;
    this.#known.delete(place);
    return undefined;
  }
}

function placeOf(issuer: string, person: string): string {
  return JSON.stringify([issuer, person]);
}
