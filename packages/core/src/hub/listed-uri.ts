/**
 * The URIs under which clients see resources. Each is unique, and the server's own is found from
 * it.
 */

import { PAGE_SCHEME } from '../source/app-pages.js';
import type { Entry } from '../source/entry.js';
import { SKILL_SCHEME } from '../source/skills.js';

/** Turns a server's own URI into the one for clients: its beginning `own` is replaced by `ours`. */
export interface Renaming {
  readonly ours: string;
  readonly own: string;
}

/** Keeps every URI. */
export const SAME: Renaming = { ours: '', own: '' };

export function forClients({ ours, own }: Renaming, uri: string): string {
  return ours + uri.slice(own.length);
}

/** The server's own URI; `undefined` if the URI does not begin with `ours`. */
export function forServer({ ours, own }: Renaming, uri: string): string | undefined {
  return uri.startsWith(ours) ? own + uri.slice(ours.length) : undefined;
}

/**
 * The renamings for a URI that another server has too, best first. A page stays in its scheme, as
 * `ui://server+rest`: the key is encoded, so the first `+` ends it. A file of a skill becomes
 * `skill://server/rest`, since the last folder of a skill must have its name. The key of any other
 * resource is a prefix.
 */
export function* renamingsOf({ ref, canonical }: Entry, own: string): Generator<Renaming> {
  if (!isScoped(own)) {
    yield { ours: canonical.slice(0, canonical.length - own.length), own: '' };
    return;
  }
  // `encodeURIComponent` throws on half a surrogate pair.
  const key = encodeURIComponent(ref.server.replaceAll(/[\uD800-\uDFFF]/gu, '_'));
  const isPage = own.startsWith(PAGE_SCHEME);
  const scheme = isPage ? PAGE_SCHEME : SKILL_SCHEME;
  // A server may have a URI of this form itself, so add marks until one is free.
  for (let marks = isPage ? '+' : ''; ; marks += '+') {
    yield { ours: `${scheme}${key}${marks}${isPage ? '' : '/'}`, own: scheme };
  }
}

/** Whether a URI stays in its scheme when it is renamed. */
export function isScoped(uri: string): boolean {
  return uri.startsWith(PAGE_SCHEME) || uri.startsWith(SKILL_SCHEME);
}
