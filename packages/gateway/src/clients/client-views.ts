/** The views of clients: one per profile, updated in place when settings change. */

import { View, type Hub, type Principal, type Source } from '@callsign/core';
import type { Sight, Target, ViewOptions } from '@callsign/core';
import {
  compilePattern,
  createProfileSet,
  DEFAULT_CLIENT_KEY,
  nameRoom,
  profileById,
  TOOL_SCOPE,
} from '@callsign/naming';
import type { AnnouncedClient, ClientProfile, NamePattern, ProfileSet } from '@callsign/naming';

import type { Settings } from '../config/settings.js';

/** A source whose own tools find and call the tools that a client would see. */
interface SearchedSource extends Source {
  /** What a caller sees, if it sees these tools whenever it sees a tool behind them. */
  sightOf(sight: Sight): Sight;
}

export interface ClientViewsOptions {
  readonly hub: Hub;
  /** All servers as two tools, for clients that search. */
  readonly searched: () => SearchedSource;
  readonly settings: Settings;
  /** A test for the items that a caller may see; `undefined`: everything. */
  readonly sight: (principal: Principal | undefined) => ((target: Target) => boolean) | undefined;
  /** The profile for all clients. Overrides the configured one. */
  readonly fixed?: string;
}

/** A cached view, and what it was made for. */
interface Kept {
  readonly view: View;
  readonly principal: Principal | undefined;
  readonly profile: () => ClientProfile;
}

/** Roles may come from tokens, in any number of combinations. */
const MAX_KEPT = 500;

export class ClientViews {
  readonly #options: ClientViewsOptions;
  readonly #kept = new Map<string, Kept>();
  /** The profiles of clients that have connected. */
  #known = new WeakMap<AnnouncedClient, string>();
  #settings: Settings;
  #profiles: ProfileSet;

  constructor(options: ClientViewsOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#profiles = profilesOf(options.settings);
  }

  /** The view for a client, with the items that it may see. */
  forClient(client: AnnouncedClient | undefined, principal?: Principal): View {
    const id = this.#profileOf(client);
    return this.#keep(`client ${id}`, principal, () => this.#clientProfile(id));
  }

  /** Whether a client asks for lists only once. */
  listsOnce(client: AnnouncedClient | undefined): boolean {
    return this.#profiles.listsOnce(client);
  }

  /** The view under a named profile; `undefined` if there is no such profile. */
  ofProfile(name: string, principal?: Principal): View | undefined {
    if (!this.#profiles.get(name)) return undefined;
    return this.#keep(`profile ${name}`, principal, () => this.#profile(name));
  }

  /** Updates the views. The caller must tell clients that their lists have changed. */
  reconfigure(settings: Settings): void {
    this.#settings = settings;
    this.#profiles = profilesOf(settings);
    this.#known = new WeakMap();
    for (const kept of this.#kept.values()) {
      kept.view.reconfigure(this.#viewOptions(kept), this.#sourceFor(kept));
    }
  }

  #profileOf(client: AnnouncedClient | undefined): string {
    let id = client && this.#known.get(client);
    if (id === undefined) {
      ({ id } = this.#profiles.forClient(client));
      if (client) this.#known.set(client, id);
    }
    return id;
  }

  /** The effective profile for a client with this profile. */
  #clientProfile(own: string): ClientProfile {
    const wanted = this.#options.fixed ?? this.#settings.profile;
    return this.#profile(wanted === 'auto' ? own : wanted);
  }

  /** A reload may have removed the profile of a view that is still in use. */
  #profile(id: string): ClientProfile {
    return this.#profiles.get(id) ?? profileById('portable');
  }

  #keep(key: string, principal: Principal | undefined, profile: () => ClientProfile): View {
    const whole = `${key} ${standing(principal)}`;
    const before = this.#kept.get(whole);
    if (before) return before.view;
    const [oldest] = this.#kept;
    if (oldest && this.#kept.size >= MAX_KEPT) {
      this.#kept.delete(oldest[0]);
      oldest[1].view.close();
    }
    const asked = { principal, profile };
    const view = new View(this.#sourceFor(asked), this.#viewOptions(asked));
    this.#kept.set(whole, { view, ...asked });
    return view;
  }

  #viewOptions({ principal, profile }: Omit<Kept, 'view'>): ViewOptions {
    const sight = this.#options.sight(principal);
    const sees =
      sight && this.#isSearched(profile()) ? this.#options.searched().sightOf(sight) : sight;
    return { ...viewOptions(profile(), this.#settings), ...(sees ? { sees } : {}) };
  }

  #sourceFor({ profile }: Pick<Kept, 'profile'>): Source {
    const { hub, searched } = this.#options;
    return this.#isSearched(profile()) ? searched() : hub;
  }

  /** A profile of the operator may choose for itself. */
  #isSearched({ id }: ClientProfile): boolean {
    const { profiles, view } = this.#settings;
    const own = Object.hasOwn(profiles, id) ? profiles[id]!.view : undefined;
    return (own ?? view) === 'search';
  }
}

function profilesOf({ profiles, clientKey }: Settings): ProfileSet {
  return createProfileSet({ own: profiles, clientKey });
}

/** Principals with the same roles share a view. */
function standing(principal: Principal | undefined): string {
  return principal ? JSON.stringify(principal.roles.toSorted()) : 'anonymous';
}

export function viewOptions(profile: ClientProfile, settings: Settings): ViewOptions {
  const { aliases, renamed, titles, annotate, clientKey } = settings;
  const pattern = ownPattern(profile, settings.pattern);
  return {
    profile,
    aliases,
    renamed,
    titles,
    annotate,
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

/** The file was checked for its own profile. A flag or a path may choose a profile with shorter names. */
function leavesRoom(profile: ClientProfile, clientKey: string): boolean {
  try {
    nameRoom(profile, clientKey);
    return true;
  } catch {
    return false;
  }
}
