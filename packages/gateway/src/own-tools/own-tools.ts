/**
 * The tools of the gateway itself: a Source beside the servers in the hub, under a key that no server may have. So
 * roles, policy, quotas and records see calls of them like all others.
 */

import {
  Listeners,
  NOTHING,
  type Call,
  type Item,
  type Kind,
  type Offer,
  type Reply,
  type Route,
  type Sight,
  type Source,
  type SourceEvent,
  type Unsubscribe,
} from '@callsign/core';
import { toolTitle, withTitle, type HintSet } from '@callsign/effects';
import { canonicalName, displayName, OWN_SERVER_KEY } from '@callsign/naming';

/** One tool of the gateway. Its four hints are its label, so each must be true. */
export interface OwnTool {
  /** Without the key. */
  readonly name: string;
  /** In words, without the gateway's name. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations: HintSet;
  /**
   * Whether its feature is on for clients with this profile. Without a profile: whether it is on for any client. Follows
   * the settings: `refresh` asks again.
   */
  isOn(profile?: string): boolean;
  /** Answers a call. May reject with a `CallsignError`. */
  call(call: Call): Promise<Reply>;
  /** Resources that its results link to. */
  readonly resource?: OwnResource;
}

/** Resources of the gateway, by a template. */
interface OwnResource {
  readonly uriTemplate: string;
  readonly title: string;
  readonly description: string;
  /** Answers `resources/read`. May reject with a `CallsignError`. */
  read(call: Call): Promise<Reply>;
}

export class OwnTools implements Source {
  readonly #tools: ReadonlyMap<string, OwnTool>;
  readonly #listeners = new Listeners<SourceEvent>();
  /** Made once, because labels are cached by item. */
  readonly #items: ReadonlyMap<string, Item>;
  readonly #templates: ReadonlyMap<string, { readonly item: Item; readonly tool: OwnTool }>;
  #offer: Offer;

  constructor(tools: readonly OwnTool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#items = new Map(tools.map((tool) => [tool.name, itemOf(tool)]));
    this.#templates = new Map(
      tools.flatMap((tool) =>
        tool.resource
          ? [[tool.resource.uriTemplate, { item: templateOf(tool, tool.resource), tool }] as const]
          : [],
      ),
    );
    this.#offer = this.#offered();
  }

  get offer(): Offer {
    return this.#offer;
  }

  route(kind: Kind, name: string): Route | undefined {
    if (kind === 'template') return this.#routeToResources(name);
    const tool = kind === 'tool' ? this.#tools.get(name) : undefined;
    if (!tool?.isOn()) return undefined;
    return { item: this.#items.get(name)!, send: async (call) => tool.call(call) };
  }

  subscribe(listener: (event: SourceEvent) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  /** Our tools neither log nor have subscriptions. */
  tell(): void {}

  /** Asks again which features are on, after a change of the settings. */
  refresh(): void {
    const [before, after] = [this.#offer, this.#offered()];
    const kinds = (['tool', 'template'] as const).filter(
      (kind) => !isSame(before[kind], after[kind]),
    );
    if (kinds.length === 0) return;
    this.#offer = after;
    this.#listeners.tell({ type: 'changed', kinds });
  }

  /** What clients with this profile may see: without our tools whose features are off for them. */
  sightOf(profile: string | undefined, sight: Sight | undefined): Sight | undefined {
    const off = new Set(
      [...this.#tools.values()]
        .filter((tool) => tool.isOn() && !tool.isOn(profile))
        .flatMap(({ name, resource }) => [name, ...(resource ? [resource.uriTemplate] : [])])
        .map((name) => canonicalName({ server: OWN_SERVER_KEY, tool: name })),
    );
    if (off.size === 0) return sight;
    return (target) => !off.has((target.template ?? target).canonical) && (sight?.(target) ?? true);
  }

  #routeToResources(uriTemplate: string): Route | undefined {
    const { item, tool } = this.#templates.get(uriTemplate) ?? {};
    return tool?.isOn()
      ? { item: item!, send: async (call) => tool.resource!.read(call) }
      : undefined;
  }

  #offered(): Offer {
    const tool = [...this.#tools.values()]
      .filter((each) => each.isOn())
      .map(({ name }) => this.#items.get(name)!);
    const template = [...this.#templates.values()]
      .filter((each) => each.tool.isOn())
      .map(({ item }) => item);
    return { ...NOTHING, tool, template };
  }
}

function isSame(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

function templateOf({ name }: OwnTool, { uriTemplate, title, description }: OwnResource): Item {
  return { name: uriTemplate, json: JSON.stringify({ uriTemplate, name, title, description }) };
}

function itemOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: OwnTool): Item {
  const full = toolTitle({ displayName: displayName(OWN_SERVER_KEY), title })!;
  const definition = {
    name,
    title,
    description,
    inputSchema,
    ...(outputSchema ? { outputSchema } : {}),
    annotations,
  };
  return { name, json: JSON.stringify(withTitle(definition, full)) };
}
