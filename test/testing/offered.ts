/** Servers whose tools a test changes. */

import { NOTHING, resultOf, type Item, type Source, type SourceEvent } from '@callsign/core';

/** A tool with this name. `more` adds members to its definition. */
export function tool(name: string, more: object = {}): Item {
  const description = `The tool ${name.length}.`;
  const inputSchema = { type: 'object' };
  return { name, json: JSON.stringify({ name, description, inputSchema, ...more }) };
}

export class OfferedSource implements Source {
  readonly #listeners = new Set<(event: SourceEvent) => void>();
  #items: readonly Item[];
  instructions: string | undefined;
  /** Set while its tools are only remembered. */
  unavailable: string | undefined;

  constructor(...items: readonly Item[]) {
    this.#items = items;
  }

  get offer(): Source['offer'] {
    return { ...NOTHING, tool: this.#items };
  }

  /** Changes the offered tools. */
  offers(...items: readonly Item[]): void {
    this.#items = items;
    for (const listener of this.#listeners) listener({ type: 'changed', kinds: ['tool'] });
  }

  /** It has started, with the tools that it offers now. */
  starts(): void {
    this.unavailable = undefined;
    for (const listener of this.#listeners) listener({ type: 'started' });
  }

  /** Changes the instructions of the server. */
  says(instructions: string | undefined): void {
    this.instructions = instructions;
    for (const listener of this.#listeners) listener({ type: 'changed', kinds: [] });
  }

  route(kind: string, name: string): ReturnType<Source['route']> {
    const item = this.#items.find((each) => each.name === name);
    if (kind !== 'tool' || !item) return undefined;
    return { item, send: async () => resultOf({ content: [] }) };
  }

  subscribe(listener: (event: SourceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(): void {}
}
