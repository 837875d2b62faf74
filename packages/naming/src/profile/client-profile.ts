/** What a client accepts as a tool's name, as data, and how long our names may be. */

export interface ClientProfile {
  readonly id: string;
  /** The client as people call it. */
  readonly label: string;
  /** Between server and tool; `null` where the server is not part of the name. */
  readonly separator: string | null;
  /** Every character a name may hold; `null` for any. */
  readonly characters: string | null;
  /** Every character a name may start with, where that is fewer. */
  readonly firstCharacters?: string;
  /** The longest name, as the client counts: with what it puts in front. */
  readonly maxLength: number;
  /** What the client puts in front of our name; `{key}` is the key under which it knows us. */
  readonly clientPrefix?: string;
  /** The client cuts its own prefix to this length. */
  readonly clientPrefixMax?: number;
  /** What the client does with a name outside these rules. */
  readonly badNames: 'shown' | 'replaced' | 'refused';
  /** The client asks for lists once and does not follow changes, so its first list must be whole. */
  readonly listsOnce?: boolean;
  /** Earlier limits of this profile. The names that they gave stay callable. */
  readonly former?: Partial<Pick<ClientProfile, 'clientPrefix' | 'maxLength'>>;
}

/** The key under which our own instructions put Callsign into a client's configuration. */
export const DEFAULT_CLIENT_KEY = 'callsign';

/** Room for a fingerprint and a readable stem; a client key that leaves less is too long. */
export const LEAST_ROOM = 24;

/** How long our names may be, once the client's own prefix is taken off. */
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

/** What keeps a client from taking a name as it is. */
export type NameFault = 'empty' | 'characters' | 'first-character' | 'length';

/** Holds a name against a profile's rules; the check is compiled once. */
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
