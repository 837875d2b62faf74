/** What reading the lists of a server may cost. If a server exceeds it, only what fits is kept. */

/** Limits that protect us against a server with endless lists. */
export interface ListLimits {
  /** For all pages of all lists together. */
  readonly maxListBytes: number;
  readonly maxTools: number;
  /** Entries of any other list. */
  readonly maxListItems: number;
  /** A longer definition is left out. */
  readonly maxDefinitionBytes: number;
}

/** The defaults. See docs/limits.md. */
export const LIST_LIMITS: ListLimits = {
  maxListBytes: 32 * 1024 * 1024,
  maxTools: 6_000,
  maxListItems: 10_000,
  maxDefinitionBytes: 256 * 1024,
};

/** Shared by all lists of one fetch. */
export class ListBudget {
  readonly limits: ListLimits;
  readonly #timeoutMs: number;
  readonly #until: number;
  #bytes = 0;

  /** `timeoutMs`: for all lists together. */
  constructor(limits: ListLimits, timeoutMs: number) {
    this.limits = limits;
    this.#timeoutMs = timeoutMs;
    this.#until = performance.now() + timeoutMs;
  }

  get msLeft(): number {
    return Math.max(1, Math.ceil(this.#until - performance.now()));
  }

  /** Counts a page. Returns why no further page is fetched; `undefined` if one may be. */
  page(bytes: number): string | undefined {
    const { maxListBytes } = this.limits;
    this.#bytes += bytes;
    if (this.#bytes > maxListBytes) return `its lists have more than ${maxListBytes} bytes`;
    return performance.now() < this.#until ? undefined : this.late;
  }

  /** The reason if a page did not come in time. */
  get late(): string {
    return `its lists take longer than ${this.#timeoutMs / 1_000} s`;
  }
}
