/**
 * What a server offers to any of its accounts, for the modules that judge definitions. Of several tools with one name, the
 * first counts: another one is judged as a change.
 */

import {
  type Item,
  type Kind,
  KINDS,
  Listeners,
  NOTHING,
  type Offer,
  type Source,
  type SourceEvent,
  type Unsubscribe,
} from '@callsign/core';

export class JoinedLists implements Source {
  readonly #sources = new Map<Source, Unsubscribe>();
  readonly #listeners = new Listeners<SourceEvent>();
  #offer: Offer = NOTHING;

  get offer(): Offer {
    return this.#offer;
  }

  get instructions(): string | undefined {
    for (const { instructions } of this.#sources.keys())
      if (instructions !== undefined) return instructions;
    return undefined;
  }

  /** Missing as soon as the lists come from the server itself. */
  get unavailable(): string | undefined {
    const reasons = [...this.#sources.keys()].map(({ unavailable }) => unavailable);
    return reasons.includes(undefined) ? undefined : (reasons[0] ?? 'no one has an account yet');
  }

  route(): undefined {
    return undefined;
  }

  subscribe(listener: (event: SourceEvent) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  tell(): void {}

  add(source: Source): void {
    if (this.#sources.has(source)) return;
    const stop = source.subscribe((event) => {
      if (event.type === 'changed') this.#join();
      if (event.type === 'started') this.#listeners.tell(event);
    });
    this.#sources.set(source, stop);
    this.#join();
  }

  delete(source: Source): void {
    this.#sources.get(source)?.();
    if (this.#sources.delete(source)) this.#join();
  }

  /** The definition that is judged. */
  item(kind: Kind, name: string): Item | undefined {
    return this.#offer[kind].find((item) => item.name === name);
  }

  #join(): void {
    const before = this.#offer;
    const lists = KINDS.map((kind) => {
      const items = new Map<string, Item>();
      for (const { offer } of this.#sources.keys())
        for (const item of offer[kind]) if (!items.has(item.name)) items.set(item.name, item);
      const list = [...items.values()];
      const isSame =
        list.length === before[kind].length && list.every((item, i) => item === before[kind][i]);
      return [kind, isSame ? before[kind] : list] as const;
    });
    const kinds = lists.filter(([kind, list]) => list !== before[kind]).map(([kind]) => kind);
    this.#offer = { ...NOTHING, ...Object.fromEntries(lists) };
    this.#listeners.tell({ type: 'changed', kinds });
  }
}
