/**
 * The views of clients: one per profile, tool sets and roles, or per principal if a module asks for
 * that. They are updated in place when settings change.
 */

import { setsOf, View, type Hub, type Principal, type Source } from '@callsign/core';
import type { Caller, Sight, Target, ViewOptions } from '@callsign/core';
import { createSets, type Sets } from '@callsign/governance';
import {
  compilePattern,
  createProfileSet,
  DEFAULT_CLIENT_KEY,
  maxNameLength,
  profileById,
  TOOL_SCOPE,
} from '@callsign/naming';
import type { AnnouncedClient, ClientProfile, NamePattern, ProfileSet } from '@callsign/naming';

import type { Settings } from '../config/settings.js';

/** A source whose own tools find and call the tools that a client would see. */
interface SearchedSource extends Source {
  /** Extends what a caller may see by these tools themselves. */
  sightOf(sight: Sight): Sight;
}

/** What modules say about what clients see. */
interface ViewingModules {
  /** A test for the items that a caller may see; `undefined`: everything. */
  sight(principal: Principal | undefined): Sight | undefined;
  /** Whether callers with the same roles see the same items. */
  readonly seesOnlyRoles: boolean;
  /** Whether calls of a tool may wait for an operator. */
  readonly mayWait: ((target: Target) => boolean) | undefined;
}

export interface ClientViewsOptions {
  readonly hub: Hub;
  /** All servers as two tools, for clients that search. */
  readonly searched: () => SearchedSource;
  readonly settings: Settings;
  /** The keys of all servers. */
  readonly keys: () => readonly string[];
  readonly modules: ViewingModules;
  /** What clients with a profile may see of the gateway's own tools, and of everything else. */
  readonly ownSight: (profile: string | undefined, sight: Sight | undefined) => Sight | undefined;
  /** Whether clients with a profile may get previews of results. Without a profile: whether any client may. */
  readonly mayPreview: (profile: string | undefined) => boolean;
  /** The profile for all clients. Overrides the configured one. */
  readonly fixed?: string;
}

/** A cached view, and what it was made for. */
interface Cached {
  readonly view: View;
  /**
   * Who got the view, by name: several principals if they share it. At most one more than
   * `MAX_SHARING`.
   */
  readonly principals: Map<string | undefined, Principal | undefined>;
  /** The sets that narrow it, those of the principal included. */
  readonly sets: readonly string[];
  readonly profile: () => ClientProfile;
  /** The client's own profile, even if its names follow another. Missing if a path chose the view. */
  readonly client: string | undefined;
}

/** What a client's profile is found by, and its views. */
interface ClientKey {
  readonly profile: string;
  readonly views: string;
  /** The key of its view without a principal. Cached: stateless clients need it for each request. */
  readonly anonymous: string;
}

/** Views to keep. Roles and principals may come from tokens, in any number of combinations. */
const MAX_CACHED = 500;
/** Principals of one view whose names are cached. */
const MAX_SHARING = 100;

/**
 * Views are shared: two clients with the same profile and roles get the same one, unless a module
 * sees more of a principal than its roles.
 */
export class ClientViews {
  readonly #options: ClientViewsOptions;
  readonly #cached = new Map<string, Cached>();
  /** The profile of each connected client, so that its name is matched only once. */
  #known = new WeakMap<AnnouncedClient, ClientKey>();
  #settings: Settings;
  #profiles: ProfileSet;
  #sets: Sets;
  /** Whether principals with the same roles share a view. */
  #isShared: boolean;

  constructor(options: ClientViewsOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#profiles = profilesOf(options.settings);
    this.#sets = createSets(options.settings.sets);
    this.#isShared = options.modules.seesOnlyRoles;
  }

  /** The view for a client, with the items that it may see. */
  forClient(
    client: AnnouncedClient | undefined,
    principal?: Principal,
    sets?: Caller['sets'],
  ): View {
    const { profile, views, anonymous } = this.#keyOf(client);
    const isPlain = principal === undefined && sets === undefined;
    const key = isPlain ? anonymous : keyFor(views, { principal, sets }, this.#isShared);
    return this.#keep(key, { principal, sets }, () => this.#clientProfile(profile), profile);
  }

  /** Whether a client asks for lists only once, so its first list should be complete. */
  listsOnce(client: AnnouncedClient | undefined): boolean {
    return this.#profiles.listsOnce(client);
  }

  /** The id of a client's own profile. */
  profileOf(client: AnnouncedClient | undefined): string {
    return this.#keyOf(client).profile;
  }

  /** The view under a named profile; `undefined` if there is no such profile. */
  ofProfile(name: string, principal?: Principal, sets?: Caller['sets']): View | undefined {
    if (!this.#profiles.get(name)) return undefined;
    const key = keyFor(`profile ${name}`, { principal, sets }, this.#isShared);
    return this.#keep(key, { principal, sets }, () => this.#profile(name));
  }

  /** Updates the views in place. The caller must tell clients that their lists have changed. */
  reconfigure(settings: Settings): void {
    this.#settings = settings;
    this.#profiles = profilesOf(settings);
    this.#sets = createSets(settings.sets);
    this.#known = new WeakMap();
    this.#isShared = this.#options.modules.seesOnlyRoles;
    for (const cached of this.#cached.values()) {
      cached.view.reconfigure(this.#viewOptions(cached), this.#sourceFor(cached));
    }
  }

  /** Whether an open session uses any of them. */
  get areHeard(): boolean {
    return [...this.#cached.values()].some(({ view }) => view.isHeard);
  }

  /** Ends the views. */
  close(): void {
    for (const { view } of this.#cached.values()) view.close();
    this.#cached.clear();
  }

  #keyOf(client: AnnouncedClient | undefined): ClientKey {
    const known = client && this.#known.get(client);
    if (known) return known;
    const { id } = this.#profiles.forClient(client);
    const views = `client ${id}`;
    const key = { profile: id, views, anonymous: keyFor(views, {}, this.#isShared) };
    if (client) this.#known.set(client, key);
    return key;
  }

  /** The profile in use for a client: the flag, then the setting, then the client's own. */
  #clientProfile(own: string): ClientProfile {
    const wanted = this.#options.fixed ?? this.#settings.profile;
    return this.#profile(wanted === 'auto' ? own : wanted);
  }

  /** A reload may have removed the profile of a view that is still in use. */
  #profile(id: string): ClientProfile {
    return this.#profiles.get(id) ?? profileById('portable');
  }

  #keep(key: string, caller: Party, profile: () => ClientProfile, client?: string): View {
    const { principal } = caller;
    const before = this.#cached.get(key);
    if (before) {
      const isNew = before.principals.get(principal?.name) !== principal;
      if (isNew && before.principals.size <= MAX_SHARING) {
        before.principals.set(principal?.name, principal);
      }
      return before.view;
    }
    this.#makeRoom();
    const principals = new Map([[principal?.name, principal]]);
    const asked = { principals, sets: setsOf(caller), profile, client };
    const view = new View(this.#sourceFor(asked), this.#viewOptions(asked));
    this.#cached.set(key, { view, ...asked });
    return view;
  }

  /** Drops the oldest views without listeners. Open sessions need theirs, however many there are. */
  #makeRoom(): void {
    for (const [key, { view }] of this.#cached) {
      if (this.#cached.size < MAX_CACHED) return;
      if (view.isHeard) continue;
      this.#cached.delete(key);
      view.close();
    }
  }

  /**
   * Open sessions may share a view that a reload would not let them share any more. Then it shows
   * what every one of them may see, and nothing if there are too many to ask.
   */
  #sightOf({ principals }: Pick<Cached, 'principals'>): Sight | undefined {
    const { modules } = this.#options;
    const [first] = principals.values();
    if (this.#isShared || principals.size === 1) return modules.sight(first);
    if (principals.size > MAX_SHARING) return () => false;
    const sights = [...principals.values()].map((principal) => modules.sight(principal));
    return (target) => sights.every((sees) => !sees || sees(target));
  }

  #viewOptions({ principals, sets, profile, client }: Omit<Cached, 'view'>): ViewOptions {
    const { mayWait } = this.#options.modules;
    const allowed = this.#options.ownSight(client, this.#sightOf({ principals }));
    const isIn = (target: Target): boolean => this.#sets.without(sets, target) === undefined;
    const sight = sets.length === 0 ? allowed : both(allowed, isIn);
    // In a set that was removed meanwhile is nothing, and it refuses nothing.
    const refuses = sets.length > 0 && sets.every((name) => this.#sets.has(name));
    const sees =
      sight && this.#isSearched(profile()) ? this.#options.searched().sightOf(sight) : sight;
    return {
      ...viewOptions(profile(), this.#settings, this.#options.keys()),
      ...(sees ? { sees } : {}),
      ...(refuses ? { outside: both(allowed, (target) => !isIn(target)) } : {}),
      ...(mayWait ? { mayWait } : {}),
      ...(this.#options.mayPreview(client) ? { hidesOutputSchema: true } : {}),
    };
  }

  #sourceFor({ profile }: Pick<Cached, 'profile'>): Source {
    const { hub, searched } = this.#options;
    return this.#isSearched(profile()) ? searched() : hub;
  }

  /**
   * Whether a profile shows two search tools. The operator's own profiles may override the setting.
   */
  #isSearched({ id }: ClientProfile): boolean {
    const { profiles, view } = this.#settings;
    const own = Object.hasOwn(profiles, id) ? profiles[id]!.view : undefined;
    return (own ?? view) === 'search';
  }
}

function profilesOf({ profiles, clientKey }: Settings): ProfileSet {
  return createProfileSet({ own: profiles, clientKey });
}

/** The caller that a view is for. */
type Party = Pick<Caller, 'principal' | 'sets'>;

/** The key of a view for some callers. */
function keyFor(views: string, caller: Party, isShared: boolean): string {
  const { principal } = caller;
  const sets = setsOf(caller);
  const narrowed = sets.length === 0 ? views : `${views} in ${JSON.stringify(sets)}`;
  if (!principal) return `${narrowed} anonymous`;
  const roles = principal.roles.toSorted();
  return `${narrowed} ${JSON.stringify(isShared ? roles : { name: principal.name, roles })}`;
}

function both(first: Sight | undefined, second: Sight): Sight {
  return first ? (target) => first(target) && second(target) : second;
}

/** The naming options of a view. Commands use them too, to show the names of a profile. */
export function viewOptions(
  profile: ClientProfile,
  settings: Settings,
  keys: readonly string[],
): ViewOptions {
  const { aliases, renamed, titles, annotate, clientKey, auth } = settings;
  const pattern = ownPattern(profile, settings.pattern);
  return {
    profile,
    keys,
    aliases,
    renamed,
    titles,
    annotate,
    signsIn: auth?.signIn !== undefined,
    clientKey: leavesRoom(profile, clientKey) ? clientKey : DEFAULT_CLIENT_KEY,
    ...(pattern ? { pattern } : {}),
  };
}

/** The operator's pattern; `undefined` if it does not fit this client. */
function ownPattern(profile: ClientProfile, pattern: string | undefined): NamePattern | undefined {
  if (pattern === undefined || profile.separator === null) return undefined;
  const { characters } = profile;
  const allowed = characters === null ? {} : { characters };
  const compiled = compilePattern(pattern, { scope: TOOL_SCOPE, ...allowed });
  return compiled.ok ? compiled.pattern : undefined;
}

/**
 * The file was checked for its own profile only. A flag or a path may choose one with shorter
 * names.
 */
function leavesRoom(profile: ClientProfile, clientKey: string): boolean {
  try {
    maxNameLength(profile, clientKey);
    return true;
  } catch {
    return false;
  }
}
