/** The elements of a list that are left out. The warnings name a few of them and count the rest. */

/** How many are named for each reason. */
const NAMED = 3;
const LONGEST_NAME = 100;

interface Fault {
  readonly names: Set<string>;
  /** The end of the warning about several items. */
  readonly many: string;
  count: number;
}

/** One per list. */
export class ItemFaults {
  /** All elements that are left out. */
  count = 0;
  readonly #method: string;
  readonly #member: string;
  #nameless = 0;
  /** By the end of the warning about one item. */
  readonly #byReason = new Map<string, Fault>();

  /** `member`: the member of an element that names it. */
  constructor(method: string, member: string) {
    this.#method = method;
    this.#member = member;
  }

  nameless(): void {
    this.count++;
    this.#nameless++;
  }

  tooLong(name: string): void {
    this.#add(name, 'was left out: its definition is too long', 'were left out: they are too long');
  }

  twice(name: string): void {
    const many = 'are listed twice; the first of each is used';
    this.#add(name, 'is listed twice; the first one is used', many);
  }

  /** `fault`: why clients could not use the definition. */
  wrong(name: string, fault: string): void {
    this.#add(name, `of ${this.#method} was left out: ${fault}`, `were left out: ${fault}`);
  }

  report(warn: (message: string) => void): void {
    if (this.#nameless > 0)
      warn(
        `${this.#nameless} items of ${this.#method} were left out: they have no ${this.#member}`,
      );
    for (const [one, { names, count, many }] of this.#byReason) {
      const quoted = Array.from(names, (name) => `"${name}"`);
      if (count <= NAMED) for (const name of quoted) warn(`${name} ${one}`);
      else warn(`${count} items of ${this.#method} such as ${quoted.join(', ')} ${many}`);
    }
  }

  #add(name: string, one: string, many: string): void {
    this.count++;
    const found = this.#byReason.get(one) ?? { names: new Set(), count: 0, many };
    this.#byReason.set(one, found);
    found.count++;
    if (found.names.size < NAMED) found.names.add(name.slice(0, LONGEST_NAME));
  }
}
