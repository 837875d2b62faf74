/**
 * The resources of one client, by URI. Resources keep their URIs. If two servers offer the same
 * URI, the second gets another one.
 */

import { canonicalName, type ToolRef } from '@callsign/naming';

import type { Entry } from '../source/entry.js';
import { forClients, forServer, isScoped, listByUri } from './listed-uri.js';
import type { Listed, Member, Renaming } from './listed-uri.js';
import { withMembers } from '../json/json-text.js';
import type { Item } from '../call/item.js';
import type { Route } from '../call/route.js';
import { seenCompletions } from './seen-completions.js';
import type { Sight } from '../call/sight.js';
import type { Target } from '../call/target.js';
import { withSkillUris } from '../source/skills.js';
import { parseUriTemplate, type UriTemplate, type Work } from '../text/uri-template.js';

/** What the templates of one server may cost a look-up. Its further templates are not tried. */
const MOST_WORK = 500_000;

/** Built from lists and never changed. `SeenResources` builds a new one when a list changes. */
export interface ResourceIndex {
  readonly resources: readonly Item[];
  readonly templates: readonly Item[];
  /** How the URIs for clients were made, by canonical name. */
  readonly renamings: ReadonlyMap<string, Renaming>;
  /**
   * Finds a resource by its listed URI, the URI of a tool's page, `server:uri`, or the most
   * specific template that matches.
   */
  find(uri: string): Route | undefined;
  findTemplate(uriTemplate: string): Route | undefined;
  /**
   * The pages whose URI for clients is not their own, as one text: equal texts mean equal pages.
   * Empty: none.
   */
  readonly movedPages: string;
  /** Whether any page of a server has another URI for clients. */
  movesPagesOf(server: string): boolean;
  /** The URI under which clients see a page of a server. */
  pageUri(server: string, uri: string): string;
  /**
   * The URI under which clients see a resource, listed or not, by its canonical name and its
   * server's URI; `undefined` if it leads to a resource of another server.
   */
  clientUri(canonical: string, uri: string): string | undefined;
  /**
   * Whether the client may see a resource, listed or not, by its canonical name and its server's
   * URI.
   */
  seesResource(canonical: string, uri: string): boolean;
}

export interface ResourceIndexOptions {
  readonly resources: readonly Entry[];
  readonly templates: readonly Entry[];
  /** Pages that tools name, listed or not. */
  readonly pages?: readonly Entry[];
  /** Templates that the client may not see. It may still see resources that they lead to. */
  readonly hiddenTemplates?: readonly Entry[];
  /** Whether a resource that only a template leads to may be read. */
  readonly admits: (ref: ToolRef) => boolean;
  /** The renamings of the last index that clients were shown. */
  readonly earlier?: ReadonlyMap<string, Renaming> | undefined;
  /** Default: the client may see everything. */
  readonly sees?: Sight | undefined;
}

interface Pattern extends Pick<Listed, 'entry' | 'own' | 'renaming'>, UriTemplate {
  /** How specific it is. */
  readonly says: number;
}

export function createResourceIndex(options: ResourceIndexOptions): ResourceIndex {
  const { hiddenTemplates = [], sees, admits, earlier } = options;
  const isListed = new Set(options.resources);
  const pages = (options.pages ?? []).filter((entry) => !isListed.has(entry));
  // Pages that are in no list come last, so that they take no URI from others.
  const allResources = listByUri([...options.resources, ...pages], 'uri', earlier);
  const resources = allResources.filter(({ entry }) => isListed.has(entry));
  // Hidden templates come last, so that they take no URI from others.
  const all = listByUri([...options.templates, ...hiddenTemplates], 'uriTemplate', earlier);
  const hidden = new Set(hiddenTemplates);
  const templates = all.filter(({ entry }) => !hidden.has(entry));
  const findResource = finderIn(allResources);
  const moved = allResources.filter(({ own, uri }) => own !== uri && isScoped(own));
  const movedFrom = new Set(moved.map(({ entry }) => entry.ref.server));
  const findTemplate = finderIn(templates);
  let sorted: readonly Pattern[] | undefined;
  // Only when needed: a server whose templates change all the time must not cost much.
  const patterns = (): readonly Pattern[] => (sorted ??= patternsOf(all));

  return {
    resources: resources.map((listed) => shown(listed, 'uri')),
    templates: templates.map((listed) => shown(listed, 'uriTemplate')),
    renamings: new Map(
      [...allResources, ...all].map(({ entry, renaming }) => [entry.canonical, renaming]),
    ),
    movedPages: moved.map(({ entry, uri }) => `${entry.canonical} ${uri}`).join('\n'),
    movesPagesOf: (server) => movedFrom.has(server),
    pageUri,
    clientUri(canonical, uri) {
      const known = findResource(canonical) ?? patternFor(canonical, uri);
      if (known) return 'uri' in known ? known.uri : forClients(known.renaming, uri);
      return find(uri) ? undefined : uri;
    },
    find,
    seesResource(canonical, uri) {
      return (
        !sees || findResource(canonical) !== undefined || patternFor(canonical, uri) !== undefined
      );
    },
    findTemplate(uriTemplate) {
      const known = findTemplate(uriTemplate);
      return known && routeAs(known.own, uriTemplate, known.entry, sees);
    },
  };

  function find(uri: string): Route | undefined {
    const known = findResource(uri);
    if (known && !movedFrom.has(known.entry.ref.server)) return known.entry.route;
    if (known) return routeToListed(known, pageUri);
    const workOf = createWork();
    for (const { entry, own, renaming, fits } of patterns()) {
      const asked = forServer(renaming, uri);
      if (asked === undefined || !fits(asked, workOf(entry.ref.server))) continue;
      const subject = resourceOf(entry, own, asked);
      if (mayRead(subject)) return routeTo(asked, uri, entry, subject);
    }
    return undefined;
  }

  /** The template that leads to a resource of its server. */
  function patternFor(canonical: string, uri: string): Pattern | undefined {
    const workOf = createWork();
    return patterns().find(({ entry, own, fits }) => {
      const resource = resourceOf(entry, own, uri);
      if (resource.canonical !== canonical) return false;
      return fits(uri, workOf(entry.ref.server)) && mayRead(resource);
    });
  }

  function pageUri(server: string, uri: string): string {
    return findResource(nameOf({ server, tool: uri }))?.uri ?? uri;
  }

  function mayRead(resource: Target): boolean {
    return admits(resource.ref) && sees?.(resource) !== false;
  }
}

/** The most specific template wins; `{+anything}` comes last. */
function patternsOf(templates: readonly Listed[]): readonly Pattern[] {
  return templates
    .map(({ entry, own, renaming }) => {
      const { literalLength, fits } = parseUriTemplate(own);
      const says = renaming.ours.length - renaming.own.length + literalLength;
      return { entry, own, renaming, literalLength, fits, says };
    })
    .toSorted((a, b) => b.says - a.says);
}

/** The work that is left for each server in one look-up. */
function createWork(): (server: string) => Work {
  const byServer = new Map<string, Work>();
  return (server) => {
    const work = byServer.get(server) ?? { left: MOST_WORK };
    byServer.set(server, work);
    return work;
  };
}

function finderIn(all: readonly Listed[]): (name: string) => Listed | undefined {
  const byUri = new Map(all.map((listed) => [listed.uri, listed]));
  const byCanonical = new Map(all.map((listed) => [listed.entry.canonical, listed]));
  return (name) => byUri.get(name) ?? byCanonical.get(name);
}

function shown({ entry: { item }, own, uri }: Listed, member: Member): Item {
  const json = uri === own ? item.json : withMembers(item.json, { [member]: JSON.stringify(uri) });
  return { name: uri, json };
}

/**
 * The target for a resource that no list has. Its label is that of the template that leads to it.
 */
export function resourceOf(template: Entry, own: string, uri: string): Target {
  const { ref, displayName, hints, risk, item } = template;
  const tool = ref.tool.slice(0, ref.tool.length - own.length) + uri;
  const concrete = { server: ref.server, tool };
  const canonical = nameOf(concrete);
  return { kind: 'resource', ref: concrete, canonical, displayName, hints, risk, item, template };
}

/** A source without a key has plain names. */
function nameOf(ref: ToolRef): string {
  return ref.server === '' ? ref.tool : canonicalName(ref);
}

/** A route whose replies have the URIs for clients. */
function routeToListed(
  { entry: { route, ref }, own, uri }: Listed,
  pageUri: (server: string, uri: string) => string,
): Route {
  if (!isScoped(own)) return route;
  const rename = (page: string): string => (page === own ? uri : pageUri(ref.server, page));
  return { ...route, send: naming(rename, (call) => route.send(call)) };
}

/** Sends, and puts the URIs for clients into the reply about a page or a skill. */
export function naming(rename: (uri: string) => string, send: Route['send']): Route['send'] {
  return async (call) => {
    const reply = await send(call);
    return reply.ok ? { ...reply, json: withSkillUris(reply.json, rename) } : reply;
  };
}

/**
 * A route through a template. Its server gets the URI from the client, so it must be the server's
 * own.
 */
function routeTo(own: string, called: string, { route }: Entry, subject: Target): Route {
  const changes = own === called ? { subject } : { subject, nameForServer: own };
  const send: Route['send'] = (call) => route.send(call.with(changes));
  const isRenamed = own !== called && isScoped(own);
  const rename = (uri: string): string => (uri === own ? called : uri);
  return { ...route, target: subject, send: isRenamed ? naming(rename, send) : send };
}

/** The route to a template itself, for completions. */
function routeAs(own: string, called: string, entry: Entry, sees: Sight | undefined): Route {
  const { route } = entry;
  if (own === called && !sees) return route;
  return {
    ...route,
    send(call) {
      const reply = route.send(own === called ? call : call.with({ nameForServer: own }));
      if (!sees) return reply;
      return reply.then((given) =>
        seenCompletions(given, own, call.params, (uri) => sees(resourceOf(entry, own, uri))),
      );
    },
  };
}
