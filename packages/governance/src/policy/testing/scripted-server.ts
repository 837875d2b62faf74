/** A server that records every call and answers as the test says. */

import { type Call, type Item, NOTHING, type Offer, type Reply, resultOf } from '@callsign/core';
import type { Route, Source, SourceEvent } from '@callsign/core';

const DONE = { content: [{ type: 'text', text: 'done' }] };

export class ScriptedServer implements Source {
  offer: Offer;
  /** Every call that arrived, oldest first. */
  readonly calls: Call[] = [];
  /** The result of a call, or a promise of it. */
  answer: (call: Call) => unknown = () => DONE;
  readonly #listeners = new Set<(event: SourceEvent) => void>();

  constructor(tools: readonly Item[]) {
    this.offer = { ...NOTHING, tool: tools };
  }

  /** Redefines its tools and announces it. */
  offers(tools: readonly Item[]): void {
    this.offer = { ...NOTHING, tool: tools };
    for (const listener of this.#listeners) listener({ type: 'changed', kinds: ['tool'] });
  }

  route(kind: string, name: string): Route | undefined {
    const item = kind === 'tool' ? this.offer.tool.find((each) => each.name === name) : undefined;
    return item && { item, send: (call) => this.#send(call) };
  }

  subscribe(listener: (event: SourceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(): void {
    // It keeps no log level and no roots.
  }

  async #send(call: Call): Promise<Reply> {
    this.calls.push(call);
    return resultOf(await this.answer(call));
  }
}
