/** A Source under one client's rules: the same items, with the names and titles for that client. */

import { RISKS } from '@callsign/effects';
import { finished, toolNotFound, type NameError, type NameTable } from '@callsign/naming';

import type { Call } from '../call/call.js';
import type { Era } from '../call/caller.js';
import type { CallsignError } from '../call/callsign-error.js';
import type { Item } from '../call/item.js';
import type { Kind } from '../call/kind.js';
import { type Reply, withMeta } from '../call/reply.js';
import type { Route } from '../call/route.js';
import type { Target } from '../call/target.js';
import type { Slices } from '../json/long-json.js';
import { routeWithPages } from '../source/app-pages.js';
import { catalogueOf } from '../source/catalogue.js';
import type { Entry } from '../source/entry.js';
import { Listeners } from '../source/listeners.js';
import { withNames } from '../source/announced-names.js';
import {
  NOTHING,
  type Catalogue,
  type Offer,
  type Outline,
  type Source,
  type SourceEvent,
  type Unsubscribe,
} from '../source/source.js';
import { mergeInstructions } from './merge-instructions.js';
import { SeenNames, type NamedKind } from './seen-names.js';
import { SeenResources } from './seen-resources.js';
import { explained, unavailability } from './unavailability.js';
import type { ViewOptions } from './view-options.js';
import { VisiblePart } from './visible-part.js';

/** A source as one client sees it. Its lists follow those of the source until it is closed. */
export class View implements Source {
  #source: Source;
  #catalogue: Catalogue;
  #options: ViewOptions;
  #names: Readonly<Record<NamedKind, SeenNames>>;
  #resources: SeenResources;
  #offer: Offer | undefined;
  #visible: VisiblePart;
  #whole: View | undefined;
  /** The moved pages at the last change. */
  #announcedPages = '';
  readonly #listeners = new Listeners<SourceEvent>();
  #stop: Unsubscribe;

  constructor(source: Source, options: ViewOptions) {
    this.#source = source;
    this.#catalogue = catalogueOf(source);
    this.#options = options;
    this.#visible = new VisiblePart(this.#catalogue, options.sees);
    this.#resources = new SeenResources(this.#catalogue, this.#visible);
    this.#names = this.#seenNames();
    this.#stop = source.subscribe((event) => this.#on(event));
  }

  /** Changes the rules, and the source if there is another. Holders see the new names. */
  reconfigure(options: ViewOptions, source: Source = this.#source): void {
    this.#options = options;
    this.#whole = undefined;
    if (source !== this.#source) {
      this.#stop();
      [this.#source, this.#catalogue] = [source, catalogueOf(source)];
      this.#stop = source.subscribe((event) => this.#on(event));
    }
    this.#visible = new VisiblePart(this.#catalogue, options.sees, this.#visible);
    this.#resources = new SeenResources(this.#catalogue, this.#visible, this.#resources);
    this.#names = this.#seenNames();
  }

  get offer(): Offer {
    const index = this.#resources.show();
    const now: Offer = {
      tool: this.#names.tool.items(index),
      prompt: this.#names.prompt.items(index),
      resource: index.resources,
      template: index.templates,
      abilities: this.#visible.abilities(),
    };
    return this.#offer && sameOffer(this.#offer, now) ? this.#offer : (this.#offer = now);
  }

  /** Renders nothing. */
  get outline(): Outline {
    return this.#visible.outline();
  }

  /** The instructions of the servers that the client may see. */
  get instructions(): string | undefined {
    const { serverInstructions: all } = this.#catalogue;
    return mergeInstructions(all.filter(({ server }) => this.seesServer(server)));
  }

  /** The skills that the client may see. */
  get skills(): readonly Item[] {
    return this.#resources.skills;
  }

  /** Renders the definitions of a kind in slices, so that `offer` is quick afterwards. */
  *prepare(kind: Kind): Slices<void> {
    if (kind === 'tool' || kind === 'prompt') yield* this.#names[kind].prepare();
  }

  prepareNames(kind: Kind): Slices<void> | undefined {
    if (kind !== 'tool' && kind !== 'prompt') return undefined;
    const isAsked = this.#options.outside ?? this.#catalogue.whole?.has(kind, 'denied');
    const whole = isAsked ? this.#wholeView() : undefined;
    const work = [this.#names[kind].prepareNames(), whole?.prepareNames(kind)];
    return work.some((each) => each) ? oneByOne(work) : undefined;
  }

  denied(kind: Kind, name: string): Route | undefined {
    const { whole } = this.#catalogue;
    const { sees, outside } = this.#options;
    if (!whole || !(outside || whole.has(kind, 'denied'))) return undefined;
    const route = this.#wholeView()?.route(kind, name);
    const { target } = route ?? {};
    if (!target) return undefined;
    const why = whole.withheld(kind, target.canonical);
    // A tool that shows others: it refuses those outside, and knows what else the caller may see.
    if (outside && route?.seenBy?.(outside) && sees?.(target) !== false) {
      const entry = this.#catalogue.entry(kind, target.canonical);
      return entry && this.#routeTo(entry);
    }
    if (outside?.(target)) return why === 'hidden' ? undefined : route;
    return why !== 'denied' || sees?.(target) === false ? undefined : route;
  }

  /** Looks among everything that servers have, under the names that this client would see. */
  *hidden(kind: Kind, name: string): Slices<Target | undefined> {
    const { whole } = this.#catalogue;
    const isPossible = this.#options.sees || whole?.has(kind, 'hidden');
    const everything = isPossible ? this.#wholeView() : undefined;
    yield* everything?.prepareNames(kind) ?? [];
    return everything?.route(kind, name)?.target;
  }

  route(kind: Kind, name: string): Route | undefined {
    if (kind === 'resource')
      return this.#resources.index.find(name) ?? this.#resources.findInSkill(name);
    if (kind === 'template') return this.#resources.index.findTemplate(name);
    const { index } = this.#names[kind];
    const entry = index.find(name);
    if (entry) return this.#routeTo(entry);
    const other = index.findOther(name);
    const ofApp = other || kind !== 'tool' ? undefined : this.#resources.toolOfApp(name);
    if (ofApp) return this.#routeTo(ofApp);
    return other?.isOld
      ? deprecatedRoute(this.#routeTo(other.entry), other.entry, name, index.shownName(other.entry))
      : other && this.#routeTo(other.entry);
  }

  /** Whether the client may see anything of a server. */
  seesServer(server: string): boolean {
    return this.#visible.hasServer(server);
  }

  capabilitiesFor(era: Era): readonly string[] {
    return this.#catalogue.capabilitiesOf(era, (server) => this.seesServer(server));
  }

  relay(server: string, call: Call): Promise<Reply> | undefined {
    return this.seesServer(server) ? this.#catalogue.relay(server, call) : undefined;
  }

  behind(canonical: string): Route | undefined {
    return this.#visible.behind(canonical)?.route;
  }

  /** The names in use, with all problems among them. Built on demand; no call needs it. */
  table(kind: NamedKind): NameTable {
    return finished(this.tableSlices(kind));
  }

  /** `table` in slices. */
  tableSlices(kind: NamedKind): Slices<NameTable> {
    return this.#names[kind].table();
  }

  /** The error for a tool's or prompt's name that has no route. */
  *explainUnknown(kind: NamedKind, name: string): Slices<NameError> {
    if (!this.#source.catalogue) {
      const work = this.#source.explainUnknown?.(kind, name);
      return work ? yield* work : toolNotFound(name);
    }
    const table = yield* this.tableSlices(kind);
    // A model that follows a suggestion should not do more harm than it wanted.
    const rank = ({ canonical }: { readonly canonical: string }): number =>
      RISKS.indexOf(this.#catalogue.entry(kind, canonical)?.risk ?? 'destructive');
    return explained(kind, yield* table.explaining(name, rank));
  }

  explainUnavailable(kind: NamedKind, name: string): CallsignError | undefined {
    return unavailability(kind, name, this.#catalogue, this.#options);
  }

  subscribe(listener: (event: SourceEvent) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  tell(method: string, params: string, to: (server: string) => boolean = () => true): void {
    this.#source.tell(method, params, (server) => to(server) && this.seesServer(server));
  }

  get isHeard(): boolean {
    return !this.#listeners.isEmpty;
  }

  close(): void {
    this.#stop();
  }

  #on(event: SourceEvent): void {
    if (event.type === 'changing' || (!this.isHeard && event.type !== 'changed')) return;
    const seen = this.#options.sees || event.type === 'changed' ? this.#visibleEvent(event) : event;
    const listed = seen?.type === 'resource-updated' ? this.#resources.asListed(seen) : seen;
    if (listed) this.#listeners.tell(listed);
  }

  /** The part of an event that concerns what the client may see, or could see until now. */
  #visibleEvent(event: Exclude<SourceEvent, { type: 'changing' }>): SourceEvent | undefined {
    const { type } = event;
    if (type !== 'changed' && type !== 'resource-updated')
      return this.seesServer(event.server ?? '') ? event : undefined;
    if (type === 'resource-updated') {
      const { uri, name = uri } = event;
      return this.#resources.index.seesResource(name, uri) ? event : undefined;
    }
    const kinds = this.#withPages(this.#visible.changed(event.kinds));
    // A change without kinds is one of capabilities.
    if (event.kinds.length === 0) return event;
    return kinds.length > 0 ? { type, kinds } : undefined;
  }

  /** Tools change too if the pages that they name have other URIs now. */
  #withPages(kinds: readonly Kind[]): readonly Kind[] {
    const before = this.#announcedPages;
    this.#announcedPages = this.#resources.index.movedPages;
    return this.#announcedPages === before || kinds.includes('tool') ? kinds : [...kinds, 'tool'];
  }

  #seenNames(): Readonly<Record<NamedKind, SeenNames>> {
    const [catalogue, visible, options] = [this.#catalogue, this.#visible, this.#options];
    return {
      tool: new SeenNames('tool', catalogue, visible, options),
      prompt: new SeenNames('prompt', catalogue, visible, options),
    };
  }

  /** The names of everything that servers have, offered or not. Made for the first call that needs it. */
  #wholeView(): View | undefined {
    const { whole } = this.#catalogue;
    if (!whole) return undefined;
    const { sees: _, outside: __, ...options } = this.#options;
    return (this.#whole ??= new View({ ...UNHEARD, catalogue: whole }, options));
  }

  /** A tool that shows other tools has to know which of them the caller may see, and under which names. */
  #routeTo({ route, asksForNames, ref: { server } }: Entry): Route {
    const { sees } = this.#options;
    const sight = route.seenBy && sees;
    const withSight = (call: Call): Call => {
      const seeing = sight ? call.with({ sight }) : call;
      return asksForNames ? withNames(seeing, this.#names.tool.namesToTell(server)) : seeing;
    };
    const seen: Route =
      sight || asksForNames ? { ...route, send: (call) => route.send(withSight(call)) } : route;
    const { index } = this.#resources;
    if (!index.movesPagesOf(server)) return seen;
    return routeWithPages(seen, (uri) => index.pageUri(server, uri));
  }
}

/** A source of which only the catalogue is used. */
const UNHEARD: Source = {
  offer: NOTHING,
  route: () => undefined,
  subscribe: () => () => undefined,
  tell: () => undefined,
};

function* oneByOne(work: readonly (Slices<void> | undefined)[]): Slices<void> {
  for (const each of work) if (each) yield* each;
}

/** A source as clients with these rules see it. */
export function view(source: Source, options: ViewOptions): View {
  return new View(source, options);
}

/** `called`: the old name. `name`: the name to use instead. Default: the canonical one. */
function deprecatedRoute(
  route: Route,
  { canonical }: Entry,
  called: string,
  name: string = canonical,
): Route {
  const notice = `"${called}" is an old name of ${canonical}; call it ${name}.`;
  return {
    ...route,
    send: async (call) => withMeta(await route.send(call), 'callsign/deprecated', notice),
  };
}

/** Compares offers by the identity of their lists. */
function sameOffer(a: Offer, b: Offer): boolean {
  return (Object.keys(a) as (keyof Offer)[]).every((key) => a[key] === b[key]);
}
