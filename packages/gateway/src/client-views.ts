/** The views that clients hold: one per profile, changed in place when the settings change. */

import { View, type Hub, type ViewOptions } from '@callsign/core';
import {
  compilePattern,
  DEFAULT_CLIENT_KEY,
  nameRoom,
  profileById,
  profileForClient,
  PROFILES,
  TOOL_SCOPE,
} from '@callsign/naming';
import type { AnnouncedClient, ClientProfile, NamePattern, ProfileId } from '@callsign/naming';

import type { Settings } from './config/settings.js';

export class ClientViews {
  readonly #hub: Hub;
  /** The profile to use whatever clients announce, over the configured one. */
  readonly #fixed: ProfileId | 'auto' | undefined;
  readonly #byClient = new Map<string, View>();
  readonly #byPath = new Map<string, View>();
  #settings: Settings;

  constructor(hub: Hub, settings: Settings, fixed?: ProfileId | 'auto') {
    this.#hub = hub;
    this.#settings = settings;
    this.#fixed = fixed;
  }

  /** The view that suits a client. */
  forClient(client: AnnouncedClient | undefined): View {
    const { id } = profileForClient(client);
    return this.#keep(this.#byClient, id, this.#clientProfile(id));
  }

  /** The view under a named profile; `undefined` if there is no such profile. */
  ofProfile(name: string): View | undefined {
    const profile = PROFILES.get(name as ProfileId);
    return profile && this.#keep(this.#byPath, name, profile);
  }

  /** Whoever holds a view sees the new names; somebody has to tell them. */
  reconfigure(settings: Settings): void {
    this.#settings = settings;
    for (const [id, view] of this.#byClient)
      view.reconfigure(viewOptions(this.#clientProfile(id), settings));
    for (const [id, view] of this.#byPath) view.reconfigure(viewOptions(profileById(id), settings));
  }

  /** What a client gets whose own profile is this one. */
  #clientProfile(own: string): ClientProfile {
    const wanted = this.#fixed ?? this.#settings.profile;
    return profileById(wanted === 'auto' ? own : wanted);
  }

  #keep(views: Map<string, View>, id: string, profile: ClientProfile): View {
    const existing = views.get(id);
    if (existing) return existing;
    const view = new View(this.#hub, viewOptions(profile, this.#settings));
    views.set(id, view);
    return view;
  }
}

function viewOptions(profile: ClientProfile, settings: Settings): ViewOptions {
  const { aliases, renamed, titles, clientKey } = settings;
  const pattern = ownPattern(profile, settings.pattern);
  return {
    profile,
    aliases,
    renamed,
    titles,
    clientKey: leavesRoom(profile, clientKey) ? clientKey : DEFAULT_CLIENT_KEY,
    ...(pattern ? { pattern } : {}),
  };
}

/** A pattern that this client would refuse gives way to the profile's own. */
function ownPattern(profile: ClientProfile, pattern: string | undefined): NamePattern | undefined {
  if (pattern === undefined || profile.separator === null) return undefined;
  const { characters } = profile;
  const allowed = characters === null ? {} : { characters };
  const compiled = compilePattern(pattern, { scope: TOOL_SCOPE, ...allowed });
  return compiled.ok ? compiled.pattern : undefined;
}

/** The file was checked for its own profile; a flag or a path may ask for one with less room. */
function leavesRoom(profile: ClientProfile, clientKey: string): boolean {
  try {
    nameRoom(profile, clientKey);
    return true;
  } catch {
    return false;
  }
}
