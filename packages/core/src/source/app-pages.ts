/** Reads and rewrites the URIs of MCP Apps pages in tools and results. */

import type { Route } from '../call/route.js';
import { elementsOf, membersOf, memberText, withMembers } from '../json/json-text.js';

/** The scheme of the pages. Two servers may use the same URI, so clients may get another one. */
export const PAGE_SCHEME = 'ui://';

/**
 * Members of `_meta` that hold the URI of a page. The first holds it in its member `resourceUri`.
 */
const NESTED = 'ui';
const FLAT = ['ui/resourceUri', 'openai/outputTemplate'] as const;

/** Gives the URI for clients for a server's own URI. */
export type RenamePage = (uri: string) => string;

/** The pages that a tool's definition names. */
export function pagesOf(json: string): readonly string[] {
  if (!mayHavePage(json)) return [];
  const meta = memberText(json, '_meta') ?? '{}';
  const nested = memberText(meta, NESTED) ?? '{}';
  const texts = [memberText(nested, 'resourceUri'), ...FLAT.map((key) => memberText(meta, key))];
  const pages = texts.flatMap((text) => pageIn(text) ?? []);
  return [...new Set(pages)];
}

/** A definition or a result in whose `_meta` pages have their URIs for clients. */
export function withPages(json: string, rename: RenamePage): string {
  if (!mayHavePage(json)) return json;
  const meta = memberText(json, '_meta');
  if (!meta?.startsWith('{')) return json;
  const nested = memberText(meta, NESTED);
  const changes: Record<string, string> = {};
  if (nested?.startsWith('{')) {
    const renamed = renamedMember(nested, 'resourceUri', rename);
    if (renamed !== nested) changes[NESTED] = renamed;
  }
  for (const key of FLAT) {
    const text = memberText(meta, key);
    const renamed = renamedText(text, rename);
    if (text !== undefined && renamed !== text) changes[key] = renamed!;
  }
  if (Object.keys(changes).length === 0) return json;
  return withMembers(json, { _meta: withMembers(meta, changes) });
}

/** A route whose results name pages by their URIs for clients. */
export function routeWithPages(route: Route, rename: RenamePage): Route {
  return {
    ...route,
    async send(call) {
      const reply = await route.send(call);
      return reply.ok ? { ...reply, json: resultWithPages(reply.json, rename) } : reply;
    },
  };
}

/** A tool's result with URIs for clients in `_meta`, in links to pages, and in embedded pages. */
function resultWithPages(json: string, rename: RenamePage): string {
  if (!mayHavePage(json)) return json;
  return withElements(withPages(json, rename), 'content', (block) => {
    const type = memberText(block, 'type');
    if (type === '"resource_link"') return renamedMember(block, 'uri', rename);
    if (type !== '"resource"') return block;
    const resource = memberText(block, 'resource');
    if (!resource?.startsWith('{')) return block;
    const renamed = renamedMember(resource, 'uri', rename);
    return renamed === resource ? block : withMembers(block, { resource: renamed });
  });
}

/**
 * A search is much cheaper than a scan. Escapes allow many spellings of `ui:`, so any escape
 * counts.
 */
function mayHavePage(json: string): boolean {
  return json.includes('ui:') || json.includes('\\u') || json.includes('\\/');
}

function withElements(json: string, member: string, change: (element: string) => string): string {
  const range = membersOf(json)?.get(member);
  const list = range && json.slice(range.start, range.end);
  const elements = list === undefined ? undefined : elementsOf(list);
  if (!elements) return json;
  const changed = elements.map((element) => (element.startsWith('{') ? change(element) : element));
  if (changed.every((element, i) => element === elements[i])) return json;
  return withMembers(json, { [member]: `[${changed.join(',')}]` });
}

function renamedMember(json: string, key: string, rename: RenamePage): string {
  const text = memberText(json, key);
  const renamed = renamedText(text, rename);
  return renamed === text ? json : withMembers(json, { [key]: renamed! });
}

function renamedText(text: string | undefined, rename: RenamePage): string | undefined {
  const page = pageIn(text);
  if (page === undefined) return text;
  const renamed = rename(page);
  return renamed === page ? text : JSON.stringify(renamed);
}

function pageIn(text: string | undefined): string | undefined {
  if (!text?.startsWith('"')) return undefined;
  const uri = JSON.parse(text) as string;
  return uri.startsWith(PAGE_SCHEME) ? uri : undefined;
}
