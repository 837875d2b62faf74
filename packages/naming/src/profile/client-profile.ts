/** The rules of a client for tool names, as data, and the space that they leave for our names. */

/**
 * What one client accepts. Names are rendered from identity and profile alone, so changing a
 * released profile changes names: put the old limits in `former`.
 */
export interface ClientProfile {
  readonly id: string;
  /** The client's name for people. */
  readonly label: string;
  /** The text between server and tool. `null`: the server is not part of the name. */
  readonly separator: string | null;
  /** Every character that a name may have. `null`: any. */
  readonly characters: string | null;
  /** Every character that a name may start with. Default: any of `characters`. */
  readonly firstCharacters?: string;
  /** Characters of the longest name, as the client counts it: with its own prefix. */
  readonly maxLength: number;
  /** What the client puts before our names. `{key}` is our key in its configuration. */
  readonly clientPrefix?: string;
  /** The client cuts its prefix to this length. Default: it does not cut it. */
  readonly clientPrefixMax?: number;
  /** What the client does with a name outside these rules. */
  readonly badNames: 'shown' | 'replaced' | 'refused';
  /**
   * The client asks for lists once and does not follow changes. Its first list must be complete.
   */
  readonly listsOnce?: boolean;
  /** Earlier limits of this profile. Names that were made under them stay callable. */
  readonly former?: Partial<Pick<ClientProfile, 'clientPrefix' | 'maxLength'>>;
}

/** The key of Callsign in a client's configuration, as our instructions write it. */
export const DEFAULT_CLIENT_KEY = 'callsign';

/** Characters for a fingerprint and a readable stem. A client key that leaves fewer is too long. */
export const LEAST_LENGTH = 24;

/**
 * How many characters our names may have after the client's prefix. Throws if that is too little
 * for any name.
 */
export function maxNameLength(
  profile: ClientProfile,
  clientKey: string = DEFAULT_CLIENT_KEY,
): number {
  const maxLength = lengthLeft(profile, clientKey);
  if (maxLength >= LEAST_LENGTH) return maxLength;
  throw new RangeError(
    `The key "${clientKey}" leaves only ${Math.max(maxLength, 0)} characters for tool names in ` +
      `${profile.label}; register Callsign there under a shorter key.`,
  );
}

/** The characters left after the client's prefix. They may be too few for a name, or negative. */
export function lengthLeft(profile: ClientProfile, clientKey: string): number {
  return profile.maxLength - prefixLength(profile, clientKey);
}

function prefixLength({ clientPrefix = '', clientPrefixMax }: ClientProfile, key: string): number {
  const { length } = clientPrefix.replace('{key}', () => key);
  return Math.min(length, clientPrefixMax ?? length);
}

/** Why a client does not accept a name unchanged. */
export type NameFault = 'empty' | 'characters' | 'first-character' | 'length';

/**
 * A check of names against a profile. It returns all faults; an empty list means that the name is
 * accepted.
 */
export function createNameCheck(
  profile: ClientProfile,
  maxLength: number = maxNameLength(profile),
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
    if (name.length > maxLength) faults.push('length');
    return faults;
  };
}

/** A regular expression source for one character outside a set. */
export function notOneOf(characters: string): string {
  return `[^${characters.replace(/[\\\]^-]/g, '\\$&')}]`;
}
