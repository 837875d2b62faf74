/** The profiles of one gateway: the built-in ones, and those of its configuration. */

import { announces, profileForClient, type AnnouncedClient } from './announced-client.js';
import type { ClientProfile } from './client-profile.js';
import { profileById, PROFILES } from './client-profiles.js';
import { createOwnProfile, type OwnProfile } from './own-profile.js';

export interface ProfileSet {
  /** In the order in which they are listed. */
  readonly ids: readonly string[];
  get(id: string): ClientProfile | undefined;
  /** The profile for a client, by the name that it announces. The configuration's own come first. */
  forClient(client: AnnouncedClient | undefined): ClientProfile;
}

export interface ProfileSetOptions {
  /** By id. Those with problems are left out: the configuration reports them. */
  readonly own?: Readonly<Record<string, OwnProfile>>;
  /** The key under which clients know the gateway. */
  readonly clientKey?: string;
}

/** OpenAI Agents for JavaScript announces the name that its user gave the server, and this version. */
const OPENAI_AGENTS_VERSION = '1.0.0';

export function createProfileSet({ own = {}, clientKey }: ProfileSetOptions = {}): ProfileSet {
  const profiles = new Map<string, ClientProfile>(PROFILES);
  const rules: { readonly begins: string; readonly profile: ClientProfile }[] = [];
  for (const [id, written] of Object.entries(own)) {
    const checked = createOwnProfile(id, written);
    if (!checked.ok) continue;
    profiles.set(id, checked.profile);
    for (const begins of written.clients ?? []) rules.push({ begins, profile: checked.profile });
  }
  return {
    ids: [...profiles.keys()],
    get: (id) => profiles.get(id),
    forClient(client) {
      const rule = rules.find(({ begins }) => announces(client, begins));
      if (rule) return rule.profile;
      const isOurKey = clientKey !== undefined && client?.name === clientKey;
      return isOurKey && client.version === OPENAI_AGENTS_VERSION
        ? profileById('portable')
        : profileForClient(client);
    },
  };
}
