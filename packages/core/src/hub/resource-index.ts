/** Resources keep their URIs. If two servers offer the same URI, the second becomes `server:uri`. */

import type { ToolRef } from '@callsign/naming';

import type { Entry } from '../source/entry.js';
import { memberText, withMembers } from '../json/json-text.js';
import type { Item } from '../call/item.js';
import type { Route } from '../call/route.js';
import { parseUriTemplate } from '../text/uri-template.js';

export interface ResourceIndex {
  readonly resources: readonly Item[];
  readonly templates: readonly Item[];
  /** By listed URI, by `server:uri`, or by the template that fits best. */
  find(uri: string): Route | undefined;
  findTemplate(uriTemplate: string): Route | undefined;
  /** The URI under which clients see a resource, by its canonical name. */
  listedUri(canonical: string): string | undefined;
}

export interface ResourceIndexOptions {
  readonly resources: readonly Entry[];
  readonly templates: readonly Entry[];
  /** Whether a resource that is only reachable by a template may be read. */
  readonly admits: (ref: ToolRef) => boolean;
}

/** The member of a definition that holds the URI. */
type Member = 'uri' | 'uriTemplate';

interface Listed {
  readonly entry: Entry;
  /** As its server writes it. */
  readonly own: string;
  /** As clients see it. */
  readonly uri: string;
}

export function createResourceIndex(options: ResourceIndexOptions): ResourceIndex {
  const resources = listByUri(options.resources, 'uri');
  const templates = listByUri(options.templates, 'uriTemplate');
  const findResource = finderIn(resources);
  const findTemplate = finderIn(templates);
  // The most specific template wins; `{+anything}` comes last.
  const patterns = templates
    .map(({ entry, own, uri }) => {
      const prefix = uri.slice(0, uri.length - own.length);
      const { literalLength, fits } = parseUriTemplate(own);
      return { entry, own, prefix, fits, says: prefix.length + literalLength };
    })
    .toSorted((a, b) => b.says - a.says);

  return {
    resources: resources.map((listed) => shown(listed, 'uri')),
    templates: templates.map((listed) => shown(listed, 'uriTemplate')),
    listedUri: (canonical) => findResource(canonical)?.uri,
    find(uri) {
      const known = findResource(uri);
      if (known) return known.entry.route;
      for (const { entry, own, prefix, fits } of patterns) {
        const asked = uri.slice(prefix.length);
        const isMeant = uri.startsWith(prefix) && fits(asked);
        if (isMeant && options.admits(refOf(entry, own, asked))) return routeAs(asked, uri, entry);
      }
      return undefined;
    },
    findTemplate(uriTemplate) {
      const known = findTemplate(uriTemplate);
      return known && routeAs(known.own, uriTemplate, known.entry);
    },
  };
}

/** In order. First all entries that can keep their URI, then the others. */
function listByUri(entries: readonly Entry[], member: Member): Listed[] {
  const taken = new Set<string>();
  const uris = new Map<Entry, string>();
  const list = (entry: Entry, uri: string): void => {
    if (uris.has(entry) || taken.has(uri)) return;
    taken.add(uri);
    uris.set(entry, uri);
  };
  for (const entry of entries) list(entry, ownUri(entry.item, member));
  for (const entry of entries) list(entry, entry.canonical);
  return entries.flatMap((entry) => {
    const uri = uris.get(entry);
    return uri === undefined ? [] : { entry, uri, own: ownUri(entry.item, member) };
  });
}

function finderIn(all: readonly Listed[]): (name: string) => Listed | undefined {
  const byUri = new Map(all.map((listed) => [listed.uri, listed]));
  const byCanonical = new Map(all.map((listed) => [listed.entry.canonical, listed]));
  return (name) => byUri.get(name) ?? byCanonical.get(name);
}

const ownUris = new WeakMap<Item, string>();

/** The URI in its definition: a nested hub adds a server's key to the name, not to the URI. */
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

function shown({ entry: { item }, own, uri }: Listed, member: Member): Item {
  const json = uri === own ? item.json : withMembers(item.json, { [member]: JSON.stringify(uri) });
  return { name: uri, json };
}

/** The identity of a resource that is not listed. */
function refOf({ ref: { server, tool } }: Entry, template: string, uri: string): ToolRef {
  return { server, tool: tool.slice(0, tool.length - template.length) + uri };
}

/** The server of a template receives the URI from the client, so it must be the server's own. */
function routeAs(own: string, called: string, { route }: Entry): Route {
  if (own === called) return route;
  return {
    ...route,
    send: (call) => route.send(call.with({ nameForServer: own })),
  };
}
