/** Places a server's tools in the hub: directly, or behind a view that presents fewer tools. */

import { changedSource, Hub, type Entry, type HubOptions, type Kind } from '@callsign/core';
import type {
  Call,
  Caller,
  Item,
  Reply,
  Sight,
  Source,
  SourceEvent,
  Target,
  Unsubscribe,
} from '@callsign/core';
import { createCrudeView, createSearchView, hubOperations } from '@callsign/mcpaql/views';
import { canonicalName } from '@callsign/naming';

import type { ViewKind } from '../config/settings.js';

export interface ListedServersOptions {
  /** The hub for clients. */
  readonly hub: Hub;
  /** Labels and interceptors of tools behind a view. */
  readonly behind: HubOptions;
  readonly viewOf: (server: string) => ViewKind;
  readonly displayName: (server: string) => string | undefined;
  /** Called for a call to a tool behind a view that is hidden from its caller. */
  readonly onHidden: (call: Call) => void;
  /** Whether a set of the caller hides an item that the caller may know of. */
  readonly isOutside: (caller: Caller, target: Target) => boolean;
  /** Called with every server before it is listed. */
  readonly watch: (server: string, source: Source) => Unsubscribe;
}

type Lists = readonly (readonly Entry[])[];

/** The server's key is part of the identity already. */
export const CRUDE_PATTERN = 'mcpaql_{endpoint}';

interface Placed {
  readonly source: Source;
  readonly view: ViewKind;
  /** The hub behind the view, if the server has one. */
  readonly behind?: Hub;
  readonly stop: Unsubscribe;
}

/** The only part that changes the hub. */
export class ListedServers {
  readonly #options: ListedServersOptions;
  readonly #placed = new Map<string, Placed>();
  #tools: { readonly shown: Lists; readonly own: Lists } | undefined;

  constructor(options: ListedServersOptions) {
    this.#options = options;
  }

  /** Whether clients see a server through a view. Its own tools are then governed behind the view. */
  isViewed(server: string): boolean {
    return this.#options.viewOf(server) !== 'flat';
  }

  /** Adds a server or replaces its source. Modules watch the source before the hub lists it. */
  set(key: string, source: Source): void {
    this.#leave(key);
    const { hub, viewOf, watch } = this.#options;
    const unwatch = watch(key, source);
    const view = viewOf(key);
    if (view === 'flat') {
      this.#placed.set(key, { source, view, stop: unwatch });
      hub.set(key, source);
    } else this.#setViewed(key, source, view, unwatch);
  }

  remove(key: string): void {
    this.#leave(key);
    this.#placed.delete(key);
    this.#options.hub.remove(key);
  }

  /** Sets the order of the servers in lists. */
  arrange(keys: readonly string[]): void {
    this.#options.hub.arrange(keys);
  }

  /** The current entry of an item, in the hub or behind a view. Pages and files of skills need not be listed. */
  entry(kind: Kind, server: string, canonical: string): Entry | undefined {
    const hub = this.#placed.get(server)?.behind ?? this.#options.hub;
    const entry = hub.entry(kind, canonical);
    if (entry || kind !== 'resource') return entry;
    return hub.page(server, canonical.slice(server.length + 1));
  }

  /**
   * Answers a call to a tool behind a view that is not listed for its caller. `undefined`: to the caller
   * it is unknown.
   */
  refuse(
    server: string,
    canonical: string,
    call: Call,
    sight: Sight | undefined,
  ): Promise<Reply> | undefined {
    const { hub, isOutside, onHidden } = this.#options;
    const { whole } = this.#placed.get(server)?.behind ?? hub;
    const entry = whole.entry('tool', canonical);
    if (!entry) return undefined;
    const isSeen = sight?.(entry) !== false;
    const why = whole.withheld('tool', canonical);
    // The gate refuses it, and says why.
    const isAnswered = isSeen
      ? why === 'denied'
      : why !== 'hidden' && isOutside(call.caller, entry);
    if (isAnswered) return entry.route.send(call);
    if (!isSeen || why === 'hidden') onHidden(call.with({ target: entry }));
    return undefined;
  }

  /**
   * The tools of the servers themselves: a list for each server, in the order of the lists for clients. Returns the
   * same arrays until something in them changes.
   */
  tools(): Lists {
    const shown = this.#options.hub.byServer('tool');
    if (this.#tools?.shown === shown) return this.#tools.own;
    const own = shown.flatMap((list) => {
      const behind = this.#placed.get(list[0]?.ref.server ?? '')?.behind;
      return behind ? behind.byServer('tool') : [list];
    });
    this.#tools = { shown, own };
    return own;
  }

  /** Rebuilds all lists after labels or views have changed. */
  refresh(): void {
    for (const [key, { source, view, behind }] of Array.from(this.#placed)) {
      if (view === this.#options.viewOf(key)) behind?.refresh();
      else this.set(key, source);
    }
    this.#options.hub.refresh();
  }

  #setViewed(
    key: string,
    source: Source,
    view: Exclude<ViewKind, 'flat'>,
    unwatch: Unsubscribe,
  ): void {
    const behind = new Hub(this.#options.behind);
    behind.set(key, source);
    const called = this.#options.displayName(key);
    const options = { name: key, ...(called === undefined ? {} : { displayName: called }) };
    const operations = hubOperations(behind, key, (call, sight) =>
      this.refuse(key, canonicalName({ server: key, tool: call.name }), call, sight),
    );
    const tools =
      view === 'crude'
        ? createCrudeView(operations, { ...options, pattern: CRUDE_PATTERN })
        : createSearchView(operations, options);
    const stop = (): void => {
      unwatch();
      tools.close();
      behind.remove(key);
    };
    this.#placed.set(key, { source, view, behind, stop });
    this.#options.hub.set(key, withTools(key, behind, tools, source));
  }

  #leave(key: string): void {
    this.#placed.get(key)?.stop();
  }
}

/** A server with other tools. Its prompts and resources stay the same. */
function withTools(key: string, behind: Hub, tools: Source, server: Source): Source {
  const own = (kind: Kind): Item[] =>
    behind.byServer(kind).flatMap((list) => list.map(({ item }) => item));
  return changedSource(server, {
    get offer() {
      const { abilities } = behind;
      const [prompt, resource, template] = [own('prompt'), own('resource'), own('template')];
      return { tool: tools.offer.tool, prompt, resource, template, abilities };
    },
    route(kind, name) {
      if (kind === 'tool') return tools.route(kind, name);
      return behind.route(kind, canonicalName({ server: key, tool: name }));
    },
    subscribe(listener) {
      const stops = [
        tools.subscribe(listener),
        behind.subscribe((event) => {
          const ofThis = ofServer(event, key);
          if (ofThis) listener(ofThis);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    tell: (method, params) => behind.tell(method, params),
  });
}

/**
 * Turns an event of the hub back into the server's own. The view announces changed tools itself.
 */
function ofServer(event: SourceEvent, key: string): SourceEvent | undefined {
  if (event.type === 'changed') {
    const kinds = event.kinds.filter((kind) => kind !== 'tool');
    return kinds.length > 0 ? { type: 'changed', kinds } : undefined;
  }
  if (event.type !== 'resource-updated' || event.name === undefined) return event;
  return { ...event, name: event.name.slice(key.length + 1) };
}
