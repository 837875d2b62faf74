/**
 * The hubs of clients. All clients use one hub, except a client with processes of its own: it has a hub in which these
 * take the places of the shared ones. So its lists, calls, notifications and subscriptions reach its own processes.
 */

import {
  Hub,
  type Call,
  type Caller,
  type ClientConnection,
  type Entry,
  type HubOptions,
  type Item,
  type Kind,
  type Principal,
  type Reply,
  type Sight,
  type Source,
  type Unsubscribe,
  type View,
} from '@callsign/core';
import type { AnnouncedClient } from '@callsign/naming';

import { ClientViews, type ClientViewsOptions } from '../clients/client-views.js';
import type { Settings } from '../config/settings.js';
import { ListedServers, type ListedServersOptions } from '../servers/listed-servers.js';
import type { SearchedServers } from '../servers/searched-servers.js';
import { clientHubOptions } from './hub-options.js';

export interface ClientHubsOptions extends Omit<ListedServersOptions, 'hub'> {
  readonly settings: () => Settings;
  readonly keys: ClientViewsOptions['keys'];
  readonly modules: ClientViewsOptions['modules'];
  readonly ownSight: ClientViewsOptions['ownSight'];
  readonly mayPreview: ClientViewsOptions['mayPreview'];
  readonly fixed: string | undefined;
  readonly searched: (hub: Hub, listed: ListedServers) => SearchedServers;
  /** The sources that a client uses instead of the shared ones, by server. */
  readonly ownSources: (connection: ClientConnection) => ReadonlyMap<string, Source>;
  /** The sources that a person uses instead of those of the operator, by server. */
  readonly accountSources: (person: string) => ReadonlyMap<string, Source>;
  /** Whether callers have accounts at any server. */
  readonly hasAccounts: () => boolean;
  /** The clients of a person have gone. Returns false if a call is still under way. */
  readonly releasePerson: (person: string) => boolean;
  /** What modules judge instead of the lists of single accounts. */
  readonly judged: (server: string) => JudgedLists | undefined;
  /** Listens to a hub. The result ends that. */
  readonly onHub: (hub: Hub) => Unsubscribe;
}

/** What any account of a server lists. */
interface JudgedLists extends Source {
  item(kind: Kind, name: string): Item | undefined;
}

/** A hub and what is in it. */
interface Lists {
  readonly hub: Hub;
  readonly listed: ListedServers;
  searched?: SearchedServers;
}

interface Client {
  readonly views: ClientViews;
  readonly sources: () => ReadonlyMap<string, Source>;
  own: ReadonlyMap<string, Source>;
  /** Missing while it has no process of its own. */
  lists?: Lists & { readonly stop: Unsubscribe };
}

/** Who a hub is for. */
type Party = Pick<Caller, 'connection' | 'principal'>;

/** People whose hubs are kept. */
const MAX_PEOPLE = 500;

/** Places servers in all of these hubs. */
export class ClientHubs implements Pick<ListedServers, 'arrange' | 'remove' | 'set'> {
  /** For all clients that share every server, and for clients over HTTP. */
  readonly main: Lists;
  readonly views: ClientViews;
  readonly #options: ClientHubsOptions;
  /** Clients of this machine, and people with accounts by name. The person who came last is the last. */
  readonly #clients = new Map<ClientConnection | string, Client>();
  /** The shared servers. */
  readonly #sources = new Map<string, Source>();
  #order: readonly string[] = [];

  constructor(options: ClientHubsOptions) {
    this.#options = options;
    const hub = new Hub(clientHubOptions(options.behind, (server) => this.#isViewed(server)));
    const watch: ListedServersOptions['watch'] = (server, source) =>
      options.watch(server, options.judged(server) ?? source);
    this.main = { hub, listed: new ListedServers({ ...options, hub, watch }) };
    this.views = this.#viewsOver(() => this.main);
    // What the shared servers offer decides what the processes of clients may offer: see `#strict`.
    hub.subscribe(({ type }) => {
      if (type === 'changed')
        for (const { lists } of this.#clients.values()) lists?.listed.refresh();
    });
  }

  set(key: string, source: Source): void {
    this.#sources.set(key, source);
    this.main.listed.set(key, source);
    for (const { own, lists } of this.#clients.values())
      if (!own.has(key)) lists?.listed.set(key, source);
  }

  remove(key: string): void {
    this.#sources.delete(key);
    this.main.listed.remove(key);
    for (const { lists } of this.#clients.values()) lists?.listed.remove(key);
  }

  arrange(keys: readonly string[]): void {
    this.#order = keys;
    for (const { listed } of this.#all()) listed.arrange(keys);
  }

  /** Rebuilds all lists after labels or views have changed. */
  refresh(): void {
    for (const { listed } of this.#all()) listed.refresh();
  }

  reconfigure(settings: Settings): void {
    this.views.reconfigure(settings);
    for (const { views } of this.#clients.values()) views.reconfigure(settings);
  }

  add(connection: ClientConnection): void {
    this.#add(connection, () => this.#options.ownSources(connection));
  }

  delete(connection: ClientConnection): void {
    this.#delete(connection);
  }

  #add(key: ClientConnection | string, sources: Client['sources']): Client {
    const client: Client = {
      views: this.#viewsOver(() => client.lists ?? this.main),
      sources,
      own: new Map(),
    };
    this.#clients.set(key, client);
    this.#place(client);
    return client;
  }

  #delete(key: ClientConnection | string): void {
    const client = this.#clients.get(key);
    this.#clients.delete(key);
    client?.views.close();
    client?.lists?.stop();
  }

  /** The client that a caller is, if it does not use the shared servers alone. */
  #clientOf({ connection, principal }: Party): Client | undefined {
    if (connection) return this.#clients.get(connection);
    if (!principal || !this.#options.hasAccounts()) return undefined;
    const { name } = principal;
    const known = this.#clients.get(name);
    if (known) {
      this.#clients.delete(name);
      this.#clients.set(name, known);
      return known;
    }
    this.#makeRoom();
    return this.#add(name, () => this.#options.accountSources(name));
  }

  /** Drops people without open sessions who came longest ago. */
  #makeRoom(): void {
    let people = 0;
    for (const key of this.#clients.keys()) if (typeof key === 'string') people++;
    for (const [key, { views }] of this.#clients) {
      if (people < MAX_PEOPLE) return;
      if (typeof key !== 'string' || views.areHeard) continue;
      if (!this.#options.releasePerson(key)) continue;
      this.#delete(key);
      people--;
    }
  }

  /** Looks up again which processes the clients use. */
  placeAll(): void {
    for (const client of this.#clients.values()) this.#place(client);
  }

  viewFor(
    client: AnnouncedClient | undefined,
    principal?: Principal,
    connection?: ClientConnection,
    sets?: Caller['sets'],
  ): View {
    return this.viewsOf({ connection, principal }).forClient(client, principal, sets);
  }

  /** The views over the processes that a caller uses. */
  viewsOf(caller: Party): ClientViews {
    return (this.#clientOf(caller) ?? this).views;
  }

  /** The current entry of an item, as a client has it. */
  entry(kind: Kind, server: string, canonical: string, caller: Party): Entry | undefined {
    return this.#listsOf(caller).listed.entry(kind, server, canonical);
  }

  /** All tools of servers, as a client has them. */
  tools(caller: Party): readonly Entry[] {
    return this.#listsOf(caller).listed.tools().flat();
  }

  /** What a caller may be shown of a kind, before roles and sets. */
  listed(kind: Kind, caller: Party): Iterable<Entry> {
    return this.#listsOf(caller).hub.entries(kind).values();
  }

  /** Answers a call to a tool that is not listed for its caller. `undefined`: to the caller it is unknown. */
  refuse(tool: string, call: Call, sight: Sight | undefined): Promise<Reply> | undefined {
    return this.#listsOf(call.caller).listed.refuse(tool.split(':', 1)[0] ?? '', tool, call, sight);
  }

  /** Whether the item of a call is still offered to its caller. */
  isListed({ target: to, caller }: Call): boolean {
    return !to || this.entry(to.kind, to.ref.server, to.canonical, caller) !== undefined;
  }

  #listsOf(caller: Party): Lists {
    return this.#clientOf(caller)?.lists ?? this.main;
  }

  #all(): Lists[] {
    return [this.main, ...[...this.#clients.values()].flatMap(({ lists }) => lists ?? [])];
  }

  #isViewed(server: string): boolean {
    return this.#options.viewOf(server) !== 'flat';
  }

  #place(client: Client): void {
    const before = client.own;
    const own = client.sources();
    client.own = own;
    const { lists } = client;
    if (lists && own.size > 0) {
      for (const key of new Set([...before.keys(), ...own.keys()])) {
        const source = own.get(key) ?? this.#sources.get(key);
        if (source && (own.has(key) !== before.has(key) || source !== before.get(key)))
          lists.listed.set(key, source);
      }
      return;
    }
    if (!lists && own.size === 0) return;
    if (own.size > 0) client.lists = this.#listsWith(client);
    else delete client.lists;
    client.views.reconfigure(this.#options.settings());
    // The view has another source. Its client hears of it as of any other change.
    (client.lists ?? this.main).listed.refresh();
    lists?.stop();
  }

  #listsWith(client: Client): NonNullable<Client['lists']> {
    const behind = this.#strict(this.#options.behind, client);
    const hub = new Hub(clientHubOptions(behind, (server) => this.#isViewed(server)));
    // Modules watch the shared servers only.
    const listed = new ListedServers({
      ...this.#options,
      behind,
      hub,
      watch: () => () => undefined,
    });
    listed.arrange(this.#order);
    for (const [key, source] of this.#sources) listed.set(key, client.own.get(key) ?? source);
    const forget = this.#options.onHub(hub);
    const stop = (): void => {
      forget();
      for (const key of this.#sources.keys()) listed.remove(key);
    };
    return { hub, listed, stop };
  }

  /**
   * The lock file and the quarantine judge the shared lists. Where they withhold what they have not judged, a client's
   * own process may offer only what the shared one offers too.
   */
  #strict(behind: HubOptions, client: Client): HubOptions {
    return {
      ...behind,
      withholds: (target) => {
        const why = behind.withholds?.(target);
        const { kind, canonical, item, ref } = target;
        const isOurs = kind === 'resource' || target.isSignIn === true;
        if (why || isOurs || !client.own.has(ref.server)) return why;
        const { lock, quarantine } = this.#options.settings();
        const judged = this.#options.judged(ref.server);
        const known = judged
          ? judged.item(kind, item.name)
          : this.main.listed.entry(kind, ref.server, canonical)?.item;
        const shared = known?.json;
        const isKnown = shared !== undefined || quarantine === 'off' || quarantine === 'warn';
        return isKnown && (lock !== 'enforce' || shared === item.json) ? undefined : 'hidden';
      },
    };
  }

  #viewsOver(lists: () => Lists): ClientViews {
    const { settings, keys, modules, ownSight, mayPreview, fixed, searched } = this.#options;
    return new ClientViews({
      get hub() {
        return lists().hub;
      },
      searched: () => {
        const now = lists();
        return (now.searched ??= searched(now.hub, now.listed));
      },
      settings: settings(),
      keys,
      modules,
      ownSight,
      mayPreview,
      ...(fixed === undefined ? {} : { fixed }),
    });
  }
}
