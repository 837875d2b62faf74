/** The resources, pages and skills that one client may see. Indexed again when a list changes. */

import { pagesOf } from '../source/app-pages.js';
import type { Entry } from '../source/entry.js';
import { createResourceIndex, naming, type ResourceIndex } from './resource-index.js';
import type { Item } from '../call/item.js';
import { withMembers } from '../json/json-text.js';
import type { Route } from '../call/route.js';
import { rootOf, urisOfSkill, withSkillUris } from '../source/skills.js';
import type { Catalogue, ServerSkill, SourceEvent } from '../source/source.js';
import type { Lists, VisiblePart } from './visible-part.js';

interface Indexed {
  readonly resources: Lists;
  readonly templates: Lists;
  readonly tools: Lists;
  readonly skills: readonly ServerSkill[];
  readonly index: ResourceIndex;
}

export class SeenResources {
  readonly #catalogue: Catalogue;
  readonly #visible: VisiblePart;
  #shown: ResourceIndex['renamings'] | undefined;
  #indexed: Indexed | undefined;
  /** The tools of a list that name pages. Cached: almost no tool does, and lists are long. */
  readonly #withPages = new WeakMap<readonly Entry[], readonly Entry[]>();

  /** `before`: under the earlier rules. The URIs that it has shown stay. */
  constructor(catalogue: Catalogue, visible: VisiblePart, before?: SeenResources) {
    this.#catalogue = catalogue;
    this.#visible = visible;
    if (before) this.#shown = before.#shown;
  }

  /** The index, for a list that clients get. They know its URIs from now on. */
  show(): ResourceIndex {
    const { index } = this;
    this.#shown = index.renamings;
    return index;
  }

  /** Returns one object until a list changes, so callers may compare it. */
  get index(): ResourceIndex {
    const { serverSkills: skills } = this.#catalogue;
    const resources = this.#catalogue.byServer('resource');
    const templates = this.#catalogue.byServer('template');
    const tools = this.#catalogue.byServer('tool');
    const before = this.#indexed;
    // Every call asks for it, so nothing is created to compare.
    const isSame =
      before?.skills === skills &&
      before.resources === resources &&
      before.templates === templates &&
      before.tools === tools;
    if (isSame) return before.index;
    const index = this.#create(resources, templates, tools);
    this.#indexed = { resources, templates, tools, skills, index };
    return index;
  }

  /** The skills that the client may see, with URIs for clients. */
  get skills(): readonly Item[] {
    const { index } = this;
    return this.#seenSkills().map(({ server, skill }) => {
      const json = withSkillUris(skill.json, (uri) => index.pageUri(server, uri));
      return { name: index.pageUri(server, skill.name), json };
    });
  }

  /** If two servers have the same URI, the client sees another URI for one of them. */
  asListed(event: SourceEvent & { type: 'resource-updated' }): SourceEvent | undefined {
    const { name = event.uri, params } = event;
    const uri = this.index.clientUri(name, event.uri);
    if (uri === undefined || uri === event.uri) return uri === undefined ? undefined : event;
    return { ...event, uri, params: withMembers(params, { uri: JSON.stringify(uri) }) };
  }

  /** A resource in the folder of a skill that no list names, such as a folder. */
  findInSkill(uri: string): Route | undefined {
    const { index } = this;
    for (const { server, skill } of this.#seenSkills()) {
      const [ours, own] = [rootOf(index.pageUri(server, skill.name)), rootOf(skill.name)];
      const asked = movedInto(own, ours, uri);
      const page = asked === undefined ? undefined : this.#catalogue.page(server, asked);
      if (!page || !this.#visible.has(page)) continue;
      const rename = (each: string): string =>
        movedInto(ours, own, each) ?? index.pageUri(server, each);
      return { ...page.route, send: naming(rename, (call) => page.route.send(call)) };
    }
    return undefined;
  }

  #seenSkills(): readonly ServerSkill[] {
    return this.#catalogue.serverSkills.filter(({ server, skill }) => {
      const page = this.#catalogue.page(server, skill.name);
      return page !== undefined && this.#visible.has(page);
    });
  }

  /**
   * The tool that an app means by its server's own name for it. Apps know no other name, and a call
   * does not say which app made it. So the name must belong to exactly one server that has pages.
   */
  toolOfApp(name: string): Entry | undefined {
    const lists = this.#visible.of(this.#catalogue.byServer('tool'));
    const own = lists
      .filter((list) => this.#toolsWithPages(list).length > 0)
      .flatMap((list) => list.filter(({ ref }) => ref.tool === name));
    return own.length === 1 ? own[0] : undefined;
  }

  #create(resources: Lists, templates: Lists, tools: Lists): ResourceIndex {
    const visible = this.#visible;
    const { sees } = visible;
    return createResourceIndex({
      resources: visible.of(resources).flat(),
      templates: visible.of(templates).flat(),
      pages: [
        ...visible.of(tools).flatMap((list) => this.#pagesOf(list)),
        ...this.#seenSkills().flatMap((each) => this.#filesOf(each)),
      ],
      hiddenTemplates: sees ? templates.flat().filter((entry) => !visible.has(entry)) : [],
      admits: (ref) => this.#catalogue.admits('resource', ref),
      earlier: this.#shown,
      sees,
    });
  }

  /** The pages that the tools of a list name and that the client may read, each once. */
  #pagesOf(list: readonly Entry[]): Entry[] {
    const pages = this.#toolsWithPages(list).flatMap(({ item, ref }) =>
      pagesOf(item.json).map((uri) => this.#catalogue.page(ref.server, uri)),
    );
    return [...new Set(pages)].filter(
      (page) => page !== undefined && this.#visible.has(page),
    ) as Entry[];
  }

  #filesOf({ server, skill }: ServerSkill): Entry[] {
    return urisOfSkill(skill).flatMap((uri) => {
      const page = this.#catalogue.page(server, uri);
      return page && this.#visible.has(page) ? page : [];
    });
  }

  #toolsWithPages(list: readonly Entry[]): readonly Entry[] {
    let tools = this.#withPages.get(list);
    if (!tools) {
      tools = list.filter(({ item }) => pagesOf(item.json).length > 0);
      this.#withPages.set(list, tools);
    }
    return tools;
  }
}

/** A URI in another folder, or the folder itself; `undefined` if it is outside of the first one. */
function movedInto(folder: string, from: string, uri: string): string | undefined {
  const path = `${uri}/`;
  return path.startsWith(from) ? (folder + path.slice(from.length)).slice(0, -1) : undefined;
}
