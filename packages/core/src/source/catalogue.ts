/**
 * The catalogue of any source. A source that has none counts as one server without a key: its names
 * stay the same.
 */

import { createEntry, unlistedPage } from './create-entry.js';
import type { Entry } from './entry.js';
import type { Kind } from '../call/kind.js';
import type { Item } from '../call/item.js';
import type { Catalogue, ServerSkill, Source } from './source.js';

/** The catalogue of a source, made from its offer if it has none itself. */
export function catalogueOf(source: Source): Catalogue {
  return source.catalogue ?? plainCatalogue(source);
}

/** Lists are rebuilt when `source.offer` has another array. */
function plainCatalogue(source: Source): Catalogue {
  interface Listed {
    readonly items: readonly Item[];
    readonly lists: readonly (readonly Entry[])[];
    readonly byName: ReadonlyMap<string, Entry>;
  }
  const listed: Partial<Record<Kind, Listed>> = {};
  let skills: { readonly of: Source['skills']; readonly own: readonly ServerSkill[] } = {
    of: undefined,
    own: [],
  };
  const current = (kind: Kind): Listed => {
    const items = source.offer[kind];
    const before = listed[kind];
    if (before?.items === items) return before;
    const byName = new Map<string, Entry>();
    for (const item of items) {
      const route = byName.has(item.name) ? undefined : source.route(kind, item.name);
      const ref = { server: '', tool: item.name };
      if (route) byName.set(item.name, createEntry({ kind, ref, item, route, displayName: '' }));
    }
    return (listed[kind] = { items, lists: [[...byName.values()]], byName });
  };
  return {
    get abilities() {
      return source.offer.abilities;
    },
    capabilitiesOf: (era, isMeant) => (isMeant('') ? (source.capabilitiesFor?.(era) ?? []) : []),
    relay: (_, call) => source.relay?.('', call),
    abilitiesOf: (isMeant) => (isMeant('') ? source.offer.abilities : new Set()),
    get serverSkills() {
      if (skills.of !== source.skills) {
        const own = (source.skills ?? []).map((skill) => ({ server: '', skill }));
        skills = { of: source.skills, own };
      }
      return skills.own;
    },
    get serverInstructions() {
      const { instructions } = source;
      return instructions === undefined ? [] : [{ server: '', text: instructions }];
    },
    byServer: (kind) => current(kind).lists,
    entry: (kind, canonical) => current(kind).byName.get(canonical),
    page(_, uri) {
      const own = current('resource').byName.get(uri);
      if (own) return own;
      const route = source.route('resource', uri);
      return route && unlistedPage({ server: '', tool: uri }, route, '');
    },
    admits: () => true,
  };
}
