/**
 * Compares what servers offer with what was accepted: tools, prompts, templates and instructions.
 */

import type { Item } from '@callsign/core';

import { definitionOf, wholeDefinitionOf } from './definition.js';
import { differenceOf } from './definition-difference.js';
import {
  instructionsItem,
  isInstructions,
  isMarker,
  judgedKind,
  PREFIXES,
} from './judged-items.js';
import {
  accepted,
  parseLock,
  renderLock,
  type AcceptedTool,
  type AcceptedTools,
} from './lock-file.js';
import type { LockStore } from './lock-store.js';

/** The state of one item, compared with the lock. */
export type Standing =
  | { readonly is: 'accepted' | 'new' }
  | { readonly is: 'changed'; readonly difference: readonly string[] }
  /** Accepted, but no longer offered. */
  | { readonly is: 'gone' };

/** An item and its state. `tool` is the name under which the item is compared. */
export interface ToolStanding {
  readonly tool: string;
  readonly standing: Standing;
}

type Change = (servers: Map<string, Map<string, AcceptedTool>>) => void;

/** A copy of the lock in memory. Other processes may change the lock: `reload` reads it again. */
export class ToolLock {
  readonly #store: LockStore;
  #servers: AcceptedTools;
  #text: string | undefined;
  /** Changes that count already but are not in the file yet. */
  #early: readonly Change[] = [];

  /** Throws if the lock cannot be read, since then it is unknown what was accepted. */
  constructor(store: LockStore) {
    this.#store = store;
    this.#text = store.read();
    this.#servers = read(store.place, this.#text);
  }

  /** Where it is kept, for people. */
  get file(): string {
    return this.#store.place;
  }

  /** The accepted items of a server; `undefined` if it is not in the lock. */
  tools(server: string): ReadonlyMap<string, AcceptedTool> | undefined {
    return this.#servers.get(server);
  }

  standing(server: string, item: Item): Standing {
    const known = this.#servers.get(server)?.get(item.name);
    if (!known) return { is: 'new' };
    const isWhole = known.whole !== undefined;
    const { hash, text } = isWhole ? wholeDefinitionOf(item) : definitionOf(item);
    if (hash === (known.whole ?? known.hash)) return { is: 'accepted' };
    return { is: 'changed', difference: differenceOf(known.definition, text) };
  }

  /**
   * Whether an earlier version accepted only parts of these definitions, or no prompts, templates
   * or instructions.
   */
  isPartial(server: string, items: readonly Item[]): boolean {
    const tools = this.#servers.get(server);
    return tools !== undefined && items.some((item) => isPartialIn(tools, item));
  }

  /** Accepts the whole of those definitions whose known parts are unchanged. */
  complete(server: string, items: readonly Item[]): Promise<void> {
    const put: Change = (servers) => {
      const tools = servers.get(server);
      for (const [name, tool] of acceptedOf(items)) {
        const item = items.find((each) => each.name === name)!;
        if (tools && isPartialIn(tools, item)) tools.set(name, tool);
      }
    };
    return this.#writeEarly(put);
  }

  /** All items that a server offers or had accepted, sorted by name. */
  status(server: string, items: readonly Item[]): readonly ToolStanding[] {
    const offered = new Map(items.map((item) => [item.name, item]));
    const names = new Set([...(this.#servers.get(server)?.keys() ?? []), ...offered.keys()]);
    return [...names].toSorted().flatMap((tool) => {
      const item = offered.get(tool);
      if (isMarker({ name: tool })) return [];
      // There is nothing to show for a server that has no instructions and had none.
      if (isInstructions({ name: tool }) && !this.#hasInstructions(server, item)) return [];
      return { tool, standing: item ? this.standing(server, item) : { is: 'gone' } };
    });
  }

  /** Accepts a server that is not in the lock yet. An entry by another process is kept. */
  pin(server: string, items: readonly Item[]): Promise<void> {
    const put: Change = (servers) => {
      if (!servers.has(server)) servers.set(server, acceptedOf(items));
    };
    // Counts at once, so that tools that this server adds later are new.
    return this.#writeEarly(put);
  }

  /**
   * What was accepted for a server counts for another key too, before the server gets that key. The
   * entry of the old key stays: a gateway that still uses it must not accept everything again.
   */
  async copy(from: string, to: string): Promise<void> {
    if (!this.#servers.has(from)) return;
    await this.#write((servers) => {
      const tools = servers.get(from);
      if (tools) servers.set(to, new Map(tools));
    });
  }

  /**
   * Accepts what a server offers now: one item, or all. With all, items that are gone leave the
   * lock.
   */
  accept(server: string, items: readonly Item[], tool?: string): Promise<void> {
    return this.#write((servers) => {
      const now = acceptedOf(items);
      if (tool === undefined) servers.set(server, now);
      else {
        const one = now.get(tool);
        const tools = new Map(servers.get(server));
        if (one) tools.set(tool, one);
        else tools.delete(tool);
        servers.set(server, tools);
      }
    });
  }

  /**
   * Reads the lock again. Returns true if it changed. Throws if it cannot be read; then the old content
   * stays.
   */
  reload(): boolean {
    const text = this.#store.read();
    if (text === this.#text) return false;
    this.#take(read(this.file, text), text);
    return true;
  }

  #hasInstructions(server: string, item: Item | undefined): boolean {
    if (item && item.json !== instructionsItem(undefined).json) return true;
    const known = this.#servers.get(server)?.get('');
    return known !== undefined && known.hash !== definitionOf(instructionsItem(undefined)).hash;
  }

  /** Applies a change to the current content, which another process may have written. */
  async #write(change: Change): Promise<void> {
    let servers = this.#servers;
    let text = '';
    await this.#store.change((before) => {
      servers = changed(read(this.file, before), change);
      return (text = renderLock(servers));
    });
    this.#early = this.#early.filter((each) => each !== change);
    this.#take(servers, text);
    // Another process may have changed it again in the meantime.
    this.reload();
  }

  /**
   * Applies a change now, and again to every content that is read until it is in the file. Servers
   * start together, and each write reads the file again.
   */
  #writeEarly(change: Change): Promise<void> {
    this.#early = [...this.#early, change];
    this.#servers = changed(this.#servers, change);
    return this.#write(change);
  }

  #take(servers: AcceptedTools, text: string | undefined): void {
    this.#servers = this.#early.reduce(changed, servers);
    this.#text = text;
  }
}

/** If several tools have one name, the first counts, as everywhere. */
function acceptedOf(items: readonly Item[]): Map<string, AcceptedTool> {
  const entries = items.map((item) => {
    return [item.name, accepted(definitionOf(item).hash, wholeDefinitionOf(item))] as const;
  });
  return new Map(entries.toReversed());
}

function isPartialIn(tools: ReadonlyMap<string, AcceptedTool>, item: Item): boolean {
  const tool = tools.get(item.name);
  if (tool === undefined) {
    const kind = judgedKind(item.name);
    if (kind === 'prompt' || kind === 'template') return !tools.has(PREFIXES[kind]);
    return kind === 'instructions';
  }
  return tool.whole === undefined && tool.hash === definitionOf(item).hash;
}

function changed(servers: AcceptedTools, change: Change): AcceptedTools {
  const copy = new Map(Array.from(servers, ([server, tools]) => [server, new Map(tools)]));
  change(copy);
  return copy;
}

function read(file: string, text: string | undefined): AcceptedTools {
  if (text === undefined) return new Map();
  try {
    return parseLock(text);
  } catch (error) {
    const { message } = error as Error;
    const advice = 'Restore it from version control, or delete it to accept all tools as they are.';
    throw new Error(`${file} cannot be read: ${message}. ${advice}`, { cause: error });
  }
}
