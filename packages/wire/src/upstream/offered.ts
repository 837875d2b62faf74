/** What one server offers, live or remembered: lists, capabilities and routes to its items. */

import {
  byKind,
  type Era,
  type Item,
  type Kind,
  KINDS,
  NOTHING,
  type Offer,
  pagesOf,
  type Route,
  SKILL_SCHEME,
  urisOfSkill,
} from '@callsign/core';

import { tasksForEra } from '../extensions/capabilities/extension-capabilities.js';
import { abilitiesOf, type Capabilities, type Greeting } from './handshake.js';
import type { FetchedLists, Lists } from './lists.js';

/** What a server offered, as text. It can be stored and offered again unchanged. */
export interface CachedOffer {
  readonly lists: Lists;
  /** As JSON text, extensions included. */
  readonly capabilities: string;
  readonly instructions?: string | undefined;
  /** The skills that it serves. Missing if it serves none. */
  readonly skills?: readonly Item[] | undefined;
  /** The era of its handshake. Default: sessions. */
  readonly era?: Era | undefined;
  /** The capabilities in the other era, if it speaks both. */
  readonly otherCapabilities?: string | undefined;
  /** Whether it has asked for the roots of its client. Only in what is stored. */
  readonly asksRoots?: boolean | undefined;
}

export function offerOf(greeting: Greeting, { lists, skills }: FetchedLists): CachedOffer {
  const { capabilitiesJson, otherCapabilitiesJson, instructions, era } = greeting;
  return {
    lists,
    skills,
    capabilities: capabilitiesJson,
    otherCapabilities: otherCapabilitiesJson,
    instructions,
    era,
  };
}

const NO_LISTS: Lists = byKind(() => []);

/** The difference between two offers. */
export interface OfferChange {
  readonly kinds: readonly Kind[];
  /** Whether anything changed, lists or not. */
  readonly isAny: boolean;
}

/** Routes are kept for each item, so that a call needs one look-up. */
export class Offered {
  readonly #routeTo: (kind: Kind, item: Item) => Route;
  readonly #routes = byKind(() => new Map<string, Route>());
  #now: CachedOffer | undefined;
  #offer: Offer = NOTHING;

  constructor(routeTo: (kind: Kind, item: Item) => Route) {
    this.#routeTo = routeTo;
  }

  get offer(): Offer {
    return this.#offer;
  }

  /** The current lists; empty if nothing is known. */
  get lists(): Lists {
    return this.#now?.lists ?? NO_LISTS;
  }

  /** Missing if nothing is known. */
  get now(): CachedOffer | undefined {
    return this.#now;
  }

  route(kind: Kind, name: string): Route | undefined {
    const route = this.#routes[kind].get(name);
    const isFile = kind === 'resource' && this.#now?.skills && name.startsWith(SKILL_SCHEME);
    if (route || !isFile) return route;
    // A server need not list all skills or their folders, so any URI of this scheme gets a route.
    const json = JSON.stringify({ uri: name, name });
    return this.#routeTo('resource', { name, json });
  }

  /** The capabilities for clients of an era. */
  capabilitiesFor(era: Era): readonly string[] {
    const now = this.#now;
    if (!now) return [];
    if ((now.era ?? 'session') === era) return [now.capabilities];
    return [now.otherCapabilities ?? tasksForEra(now.capabilities, era)];
  }

  /**
   * Replaces the offer. Equal lists stay the same arrays, so nothing is derived from them again.
   */
  take(next: CachedOffer): OfferChange {
    const before = this.#now;
    const lists = byKind((kind) => {
      const list = before?.lists[kind];
      return list && isSame(list, next.lists[kind]) ? list : next.lists[kind];
    });
    const kinds = KINDS.filter((kind) => lists[kind] !== this.lists[kind]);
    const isOther =
      next.capabilities !== before?.capabilities ||
      next.instructions !== before.instructions ||
      next.otherCapabilities !== before.otherCapabilities ||
      !isSame(next.skills ?? [], before.skills ?? []);
    if (kinds.length === 0 && !isOther) return { kinds, isAny: false };
    this.#now = { ...next, lists };
    const capabilities = JSON.parse(next.capabilities) as Capabilities;
    this.#offer = { ...lists, abilities: abilitiesOf(capabilities) };
    for (const kind of kinds) {
      this.#routes[kind].clear();
      for (const item of lists[kind]) this.#routes[kind].set(item.name, this.#routeTo(kind, item));
    }
    this.#addPages(lists.tool, next.skills ?? []);
    return { kinds, isAny: true };
  }

  /** Adds routes to pages that tools name and to files of skills, listed or not. */
  #addPages(tools: readonly Item[], skills: readonly Item[]): void {
    const resources = this.#routes.resource;
    const uris = [...tools.flatMap(({ json }) => pagesOf(json)), ...skills.flatMap(urisOfSkill)];
    for (const uri of uris) {
      const item = { name: uri, json: JSON.stringify({ uri, name: uri }) };
      if (!resources.has(uri)) resources.set(uri, this.#routeTo('resource', item));
    }
  }

  clear(): void {
    this.#now = undefined;
    this.#offer = NOTHING;
    for (const kind of KINDS) this.#routes[kind].clear();
  }
}

function isSame(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every(({ json }, i) => json === b[i]!.json);
}
