/** The rules of a client for tool names, as data, and how long our names may be. */

export interface ClientProfile {
  readonly id: string;
  /** The client's name for people. */
  readonly label: string;
  /** Between server and tool; `null` where the server is not part of the name. */
  readonly separator: string | null;
  /** Every character a name may hold; `null` for any. */
  readonly characters: string | null;
  /** Every character that a name may start with, if not all of them may. */
  readonly firstCharacters?: string;
  /** The longest name as the client counts it, with its prefix. */
  readonly maxLength: number;
  /** The client's prefix for our names. `{key}` is our key in its configuration. */
  readonly clientPrefix?: string;
  /** The client cuts its own prefix to this length. */
  readonly clientPrefixMax?: number;
  /** What the client does with a name outside these rules. */
  readonly badNames: 'shown' | 'replaced' | 'refused';
  /** The client asks for lists once and does not follow changes, so its first list must be complete. */
  readonly listsOnce?: boolean;
  /** Earlier limits of this profile. The names that they gave stay callable. */
  readonly former?: Partial<Pick<ClientProfile, 'clientPrefix' | 'maxLength'>>;
}

/** The key of Callsign in a client's configuration, as our instructions write it. */
export const DEFAULT_CLIENT_KEY = 'callsign';

/** Space for a fingerprint and a readable stem. A client key that leaves less is too long. */
export const LEAST_ROOM = 24;

/** How long our names may be after the client's own prefix. */
export function nameRoom(profile: ClientProfile, clientKey: string = DEFAULT_CLIENT_KEY): number {
  const room = roomLeft(profile, clientKey);
  if (room >= LEAST_ROOM) return room;
  throw new RangeError(
    `The key "${clientKey}" leaves only ${Math.max(room, 0)} characters for tool names in ` +
      `${profile.label}; register Callsign there under a shorter key.`,
  );
}

/** The same without an error: the result may be too small for any name, or negative. */
export function roomLeft(profile: ClientProfile, clientKey: string): number {
  return profile.maxLength - prefixLength(profile, clientKey);
}

function prefixLength({ clientPrefix = '', clientPrefixMax }: ClientProfile, key: string): number {
  const { length } = clientPrefix.replace('{key}', () => key);
  return Math.min(length, clientPrefixMax ?? length);
}

/** Why a client does not accept a name unchanged. */
export type NameFault = 'empty' | 'characters' | 'first-character' | 'length';

/** Checks a name against a profile's rules. The check is compiled once. */
export function createNameCheck(
  profile: ClientProfile,
  room: number = nameRoom(profile),
): (name: string) => NameFault[] {
  const illegal =
    profile.characters === null ? undefined : new RegExp(notOneOf(profile.characters));
  return function nameFaults(name) {
    if (name === '') return ['empty'];
    const faults: NameFault[] = [];
    if (illegal?.test(name)) faults.push('characters');
    if (profile.firstCharacters && !profile.firstCharacters.includes(name.charAt(0))) {
      faults.push('first-character');
    }
    if (name.length > room) faults.push('length');
    return faults;
  };
}

/** A regular expression source for one character outside a set. */
export function notOneOf(characters: string): string {
  return `[^${characters.replace(/[\\\]^-]/g, '\\$&')}]`;
}
