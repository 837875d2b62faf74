/** Creates the entry of an offered item: identity, label and interceptors. */

import {
  type Contradiction,
  type Label as ToolLabel,
  type LabelHints,
  labelTool,
  type ObservedEffect,
  type Risk,
  type StatedHints,
  type Trust,
} from '@callsign/effects';
import { canonicalName, type ToolRef } from '@callsign/naming';

import type { Item } from '../call/item.js';
import type { Kind } from '../call/kind.js';
import { isKnownMethod } from '../call/known-method.js';
import type { Route } from '../call/route.js';
import type { Target } from '../call/target.js';
import { membersOf } from '../json/json-text.js';
import type { Entry } from './entry.js';
import { intercept, type Interceptor } from './interceptor.js';
import { asksForNames } from './announced-names.js';

/**
 * The operator's settings for one item. Not the label itself, which `labelTool` finds from them.
 */
export interface Label {
  readonly override?: StatedHints;
  /** A label that the operator accepted for exactly this definition. */
  readonly accepted?: StatedHints;
  /** Whether a label was accepted for another definition and no longer counts. */
  readonly hasLapsed?: boolean;
  /** Hints to assume where the server makes no claim. */
  readonly assumed?: StatedHints;
  /** What it tried when it was watched. */
  readonly observed?: ObservedEffect;
  readonly trust?: Trust;
  /** Replaces the tool's own title. */
  readonly title?: string;
}

/** What an entry is made of. */
export interface EntryOptions {
  readonly kind: Kind;
  readonly ref: ToolRef;
  readonly item: Item;
  /** The route to the source, without interceptors. */
  readonly route: Route;
  readonly displayName: string;
  readonly label?: Label | undefined;
  /** Whose account at the server its calls use. */
  readonly account?: string | undefined;
  readonly interceptors?: readonly Interceptor[];
}

/** The members of a definition that a label depends on. */
const DEFINITION = ['title', 'description', 'inputSchema', 'annotations'] as const;

type Definition = Partial<Record<(typeof DEFINITION)[number], unknown>>;

/** The protocol has only reads for prompts and resources. */
const READING_HINTS: LabelHints = {
  readOnlyHint: { value: true, evidence: { by: 'default' } },
  destructiveHint: { value: false, evidence: { by: 'default' } },
  idempotentHint: { value: true, evidence: { by: 'default' } },
  openWorldHint: { value: true, evidence: { by: 'default' } },
};
const READING: ToolLabel = { risk: 'read', hints: READING_HINTS };

/** Nothing is known about a method of an unknown extension. The specification's defaults hold. */
const UNKNOWN_HINTS: LabelHints = {
  readOnlyHint: { value: false, evidence: { by: 'default' } },
  destructiveHint: { value: true, evidence: { by: 'default' } },
  idempotentHint: { value: false, evidence: { by: 'default' } },
  openWorldHint: { value: true, evidence: { by: 'default' } },
};

/** Creates an entry. Cheap: the definition is not read before the label is needed. */
export function createEntry(options: EntryOptions): Entry {
  return new HubEntry(options);
}

/** A page that a tool names and that its server does not list. */
export function unlistedPage(
  ref: ToolRef,
  route: Route,
  displayName: string,
  more: Pick<EntryOptions, 'account' | 'interceptors'> = {},
): Entry {
  const item = route.item ?? { name: ref.tool, json: JSON.stringify({ uri: ref.tool }) };
  return createEntry({ kind: 'resource', ref, item, route, displayName, ...more });
}

/**
 * Reads the definition and finds the label on first use: a list of thousands of tools is served
 * without either.
 */
class HubEntry implements Entry {
  readonly kind: Kind;
  readonly ref: ToolRef;
  readonly canonical: string;
  readonly displayName: string;
  readonly item: Item;
  readonly route: Route;
  readonly isView: boolean;
  readonly isSignIn: boolean;
  readonly account: string | undefined;
  readonly #settings: Label;
  #definition?: Definition;
  #label?: ToolLabel;
  #unlabelled?: Target;
  #asksForNames?: boolean;

  constructor(options: EntryOptions) {
    const { kind, ref, item, route, displayName, label, account, interceptors = [] } = options;
    this.kind = kind;
    this.ref = ref;
    // A source without a key has plain names.
    this.canonical = ref.server === '' ? ref.tool : canonicalName(ref);
    this.displayName = displayName;
    this.item = item;
    this.isView = route.seenBy !== undefined;
    this.isSignIn = route.isSignIn === true;
    this.account = account;
    this.#settings = label ?? {};
    // Made for the first call: most items of a long list are never called.
    let intercepted: Route | undefined;
    this.route = {
      item,
      target: this,
      ...(route.seenBy ? { seenBy: (sight) => route.seenBy!(sight) } : {}),
      // In a nested hub each layer sets its own target, so its interceptors see their own item.
      send: (call) => {
        const target = isKnownMethod(call.method) ? this : this.#withoutLabel();
        intercepted ??= intercept(route, interceptors);
        return intercepted.send(call.target === target ? call : call.with({ target }));
      },
    };
  }

  get title(): unknown {
    return this.#settings.title ?? this.#read().title;
  }

  get asksForNames(): boolean {
    return (this.#asksForNames ??= this.kind === 'tool' && asksForNames(this.item));
  }

  get claim(): unknown {
    return this.#read().annotations;
  }

  get override(): StatedHints {
    return { ...this.#settings.accepted, ...this.#settings.override };
  }

  get risk(): Risk {
    return this.#labelled().risk;
  }

  get hints(): LabelHints {
    return this.#labelled().hints;
  }

  get contradiction(): Contradiction | undefined {
    return this.#labelled().contradiction;
  }

  get hasLapsed(): boolean {
    return this.#settings.hasLapsed ?? false;
  }

  /** This item for a method that its label does not describe. */
  #withoutLabel(): Target {
    const { kind, ref, canonical, displayName, title, item, isView, account } = this;
    const same = { kind, ref, canonical, displayName, title, item, isView, account };
    return (this.#unlabelled ??= { ...same, risk: 'destructive', hints: UNKNOWN_HINTS });
  }

  #labelled(): ToolLabel {
    return (this.#label ??= this.kind === 'tool' ? this.#labelTool() : READING);
  }

  #labelTool(): ToolLabel {
    const { override, accepted, assumed, observed, trust } = this.#settings;
    const { name } = this.item;
    return labelTool({ ...this.#read(), name, override, accepted, assumed, observed, trust });
  }

  #read(): Definition {
    return (this.#definition ??= readMembers(this.item.json, DEFINITION));
  }
}

function readMembers<K extends string>(
  json: string,
  keys: readonly K[],
): Partial<Record<K, unknown>> {
  const members = membersOf(json);
  const read: Partial<Record<K, unknown>> = {};
  for (const key of keys) {
    const range = members?.get(key);
    if (range) read[key] = JSON.parse(json.slice(range.start, range.end));
  }
  return read;
}
