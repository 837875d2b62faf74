/** The profiles of one gateway: the built-in ones, and those of its configuration. */

import {
  announces,
  listsOnce,
  profileForClient,
  type AnnouncedClient,
} from './announced-client.js';
import type { ClientProfile } from './client-profile.js';
import { profileById, PROFILES } from './client-profiles.js';
import { createOwnProfile, type OwnProfile } from './own-profile.js';

/** Looks up profiles by id or by client. */
export interface ProfileSet {
  /** In the order in which they are listed. */
  readonly ids: readonly string[];
  get(id: string): ClientProfile | undefined;
  /**
   * The profile for a client, by the name that it announces. Profiles of the configuration come
   * first.
   */
  forClient(client: AnnouncedClient | undefined): ClientProfile;
  /** Whether a client asks for lists only once. */
  listsOnce(client: AnnouncedClient | undefined): boolean;
}

/** What the configuration adds to the built-in profiles. */
export interface ProfileSetOptions {
  /** By id. Profiles with problems are left out; the configuration reports them. */
  readonly own?: Readonly<Record<string, OwnProfile>>;
  /** The key under which clients know the gateway. */
  readonly clientKey?: string;
}

/**
 * OpenAI Agents for JavaScript announces this version, and as its name our key in its
 * configuration.
 */
const OPENAI_AGENTS_VERSION = '1.0.0';

/** Throws nothing: own profiles with problems are left out. */
export function createProfileSet({ own = {}, clientKey }: ProfileSetOptions = {}): ProfileSet {
  const profiles = new Map<string, ClientProfile>(PROFILES);
  const rules: { readonly begins: string; readonly profile: ClientProfile }[] = [];
  for (const [id, written] of Object.entries(own)) {
    const checked = createOwnProfile(id, written);
    if (!checked.ok) continue;
    profiles.set(id, checked.profile);
    for (const begins of written.clients ?? []) rules.push({ begins, profile: checked.profile });
  }
  const ownProfile = (client: AnnouncedClient | undefined): ClientProfile | undefined =>
    rules.find(({ begins }) => announces(client, begins))?.profile;
  const isOpenAiAgents = (client: AnnouncedClient | undefined): boolean =>
    clientKey !== undefined &&
    client?.name === clientKey &&
    client.version === OPENAI_AGENTS_VERSION;
  return {
    ids: [...profiles.keys()],
    get: (id) => profiles.get(id),
    forClient: (client) =>
      ownProfile(client) ??
      (isOpenAiAgents(client) ? profileById('portable') : profileForClient(client)),
    listsOnce: (client) =>
      ownProfile(client)?.listsOnce ?? (isOpenAiAgents(client) || listsOnce(client)),
  };
}
