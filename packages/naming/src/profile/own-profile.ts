/** A client profile from the configuration, checked and completed. */

import { LEAST_LENGTH, type ClientProfile } from './client-profile.js';
import { PROFILES, profileById, type ProfileId } from './client-profiles.js';

/** The profile as written. Missing fields come from the profile named in `like`. */
export interface OwnProfile {
  /** Default: `portable`. */
  readonly like?: ProfileId;
  /** As between the brackets of a regular expression: `a-zA-Z0-9_-`. Must contain `a-z0-9_`. */
  readonly characters?: string;
  /** Characters that a name may start with, as between the brackets of a regular expression. */
  readonly firstCharacters?: string;
  /** The longest name, with the prefix. */
  readonly maxLength?: number;
  /** The client's prefix for names. `{key}` is our key in its configuration. */
  readonly prefix?: string;
  /** The beginnings of the names that such clients announce. */
  readonly clients?: readonly string[];
  /** Whether such clients ask for lists only once. */
  readonly listsOnce?: boolean;
}

/** The result of `createOwnProfile`. */
export type CheckedProfile =
  | { readonly ok: true; readonly profile: ClientProfile }
  | { readonly ok: false; readonly problems: readonly OwnProfileProblem[] };

/** A mistake in a profile of the configuration. All of them are reported at once. */
export interface OwnProfileProblem {
  /** `undefined`: the whole profile. */
  readonly field: keyof OwnProfile | undefined;
  readonly message: string;
  readonly advice: string;
}

const ID = /^[a-z0-9][a-z0-9._-]*$/;
/** The characters that marks and fingerprints are made of. */
const NEEDED = 'abcdefghijklmnopqrstuvwxyz0123456789_';

/** Builds the profile, or returns all its problems. */
export function createOwnProfile(id: string, own: OwnProfile): CheckedProfile {
  const problems = [...idProblems(id), ...fieldProblems(own)];
  if (problems.length > 0) return { ok: false, problems };
  const base = profileById(own.like ?? 'portable');
  const characters = own.characters === undefined ? base.characters : expand(own.characters);
  const first = own.firstCharacters === undefined ? undefined : expand(own.firstCharacters);
  // Its own characters may not include the base's first characters, so those are not kept.
  const baseFirst = own.characters === undefined ? base.firstCharacters : undefined;
  const firstCharacters = first ?? baseFirst;
  const prefix = own.prefix ?? (own.maxLength === undefined ? base.clientPrefix : undefined);
  const { clientPrefixMax, badNames, separator } = base;
  const profile: ClientProfile = {
    id,
    label: id,
    separator,
    characters,
    maxLength: own.maxLength ?? base.maxLength,
    badNames,
    ...(firstCharacters === undefined ? {} : { firstCharacters }),
    ...(own.listsOnce === undefined ? {} : { listsOnce: own.listsOnce }),
    ...(prefix === undefined ? {} : { clientPrefix: prefix }),
    ...(clientPrefixMax === undefined || own.prefix !== undefined ? {} : { clientPrefixMax }),
  };
  return { ok: true, profile };
}

function* idProblems(id: string): Generator<OwnProfileProblem> {
  if (id === 'auto' || PROFILES.has(id as ProfileId)) {
    const message = `"${id}" is a built-in profile and cannot be changed`;
    const advice = `give yours another name, and write "like": "${id}" to start from it`;
    yield { field: undefined, message, advice };
  } else if (!ID.test(id)) {
    const message = `"${id}" cannot be the name of a profile`;
    const advice = 'use lower-case letters, digits, "-", "_" and ".", as it is part of an address';
    yield { field: undefined, message, advice };
  }
}

function* fieldProblems(own: OwnProfile): Generator<OwnProfileProblem> {
  const base = profileById(own.like ?? 'portable');
  if (base.separator !== '__') {
    const message = `cannot be "${base.id}", which has no limits for names`;
    yield { field: 'like', message, advice: 'choose "spec" for the widest limits' };
  }
  const allowed = own.characters === undefined ? NEEDED : expand(own.characters);
  const missing = [...NEEDED].filter((c) => !allowed.includes(c));
  if (missing.length > 0) {
    const message = `leaves out ${missing.slice(0, 5).join(' ')}${missing.length > 5 ? ' …' : ''}`;
    yield {
      field: 'characters',
      message,
      advice: 'include at least a-z0-9_, because marks need them',
    };
  }
  if (own.firstCharacters !== undefined && !expand(own.firstCharacters).includes('x')) {
    const message = 'leaves out lower-case letters';
    yield { field: 'firstCharacters', message, advice: 'include at least a-z' };
  }
  const shortest = LEAST_LENGTH + (own.prefix ?? '').replace('{key}', '').length;
  if (own.maxLength !== undefined && own.maxLength < shortest) {
    const message = `leaves fewer than ${LEAST_LENGTH} characters for names`;
    yield {
      field: 'maxLength',
      message,
      advice: `use at least ${shortest} plus the length of the key`,
    };
  }
}

/** The characters of a class such as `a-z0-9_-`. A hyphen at either end is a plain hyphen. */
function expand(text: string): string {
  const found = new Set<string>();
  for (const [whole, from, to] of text.matchAll(/(.)-(.)|./gsu)) {
    if (from === undefined || to === undefined) found.add(whole);
    else {
      const last = to.codePointAt(0)!;
      for (let c = from.codePointAt(0)!; c <= last; c++) found.add(String.fromCodePoint(c));
    }
  }
  return [...found].join('');
}
