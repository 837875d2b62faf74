/**
 * The URIs under which clients see resources. Each is unique, and the server's own is found from
 * it.
 */

import { PAGE_SCHEME } from '../source/app-pages.js';
import type { Item } from '../call/item.js';
import { memberText } from '../json/json-text.js';
import type { Entry } from '../source/entry.js';
import { SKILL_SCHEME } from '../source/skills.js';

/** Turns a server's own URI into the one for clients: its beginning `own` is replaced by `ours`. */
export interface Renaming {
  readonly ours: string;
  readonly own: string;
}

/** Keeps every URI. */
const SAME: Renaming = { ours: '', own: '' };

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
function* renamingsOf({ ref, canonical }: Entry, own: string): Generator<Renaming> {
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

/** The member of a definition that holds the URI. */
export type Member = 'uri' | 'uriTemplate';

export interface Listed {
  readonly entry: Entry;
  /** As its server writes it. */
  readonly own: string;
  /** As clients see it. */
  readonly uri: string;
  readonly renaming: Renaming;
}

/**
 * Gives every entry its URI for clients. First come entries that clients have seen before: a URI
 * must not lead to another server later. Then come all that can keep their own, so that no renamed
 * URI takes the place of a real one. `earlier`: the earlier renamings, by canonical name.
 */
export function listByUri(
  entries: readonly Entry[],
  member: Member,
  earlier: ReadonlyMap<string, Renaming> = new Map(),
): Listed[] {
  const taken = new Set<string>();
  const renamings = new Map<Entry, Renaming>();
  const list = (entry: Entry, own: string, renaming: Renaming): boolean => {
    const uri = forClients(renaming, own);
    if (taken.has(uri)) return false;
    taken.add(uri);
    renamings.set(entry, renaming);
    return true;
  };
  for (const entry of entries) {
    const own = ownUri(entry.item, member);
    const before = earlier.get(entry.canonical);
    if (before && own.startsWith(before.own)) list(entry, own, before);
  }
  for (const entry of entries) {
    if (!renamings.has(entry)) list(entry, ownUri(entry.item, member), SAME);
  }
  for (const entry of entries) {
    if (renamings.has(entry)) continue;
    const own = ownUri(entry.item, member);
    for (const renaming of renamingsOf(entry, own)) if (list(entry, own, renaming)) break;
  }
  return entries.flatMap((entry) => {
    const renaming = renamings.get(entry);
    const own = ownUri(entry.item, member);
    return renaming ? { entry, own, uri: forClients(renaming, own), renaming } : [];
  });
}

const ownUris = new WeakMap<Item, string>();

/**
 * The URI in a definition. It can differ from the item's name: a nested hub adds a key to the name
 * only.
 */
function ownUri(item: Item, member: Member): string {
  let own = ownUris.get(item);
  if (own === undefined) {
    const text = memberText(item.json, member);
    const uri: unknown = text === undefined ? undefined : JSON.parse(text);
    own = typeof uri === 'string' && item.name.endsWith(uri) ? uri : item.name;
    ownUris.set(item, own);
  }
  return own;
}
