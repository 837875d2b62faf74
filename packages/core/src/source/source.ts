/**
 * A Source offers tools, prompts and resources, and answers calls to them. Servers, adapters, hubs
 * and views are Sources.
 */

import type { NameError, ToolRef } from '@callsign/naming';

import type { Call } from '../call/call.js';
import type { CallsignError } from '../call/callsign-error.js';
import type { Era } from '../call/caller.js';
import type { Reply } from '../call/reply.js';
import type { Entry } from './entry.js';
import type { Item } from '../call/item.js';
import type { Kind } from '../call/kind.js';
import type { Slices } from '../json/long-json.js';
import type { Route } from '../call/route.js';
import type { Target } from '../call/target.js';

/**
 * Everything that a source offers now. Compare lists by identity: an unchanged list is the same
 * array.
 */
export interface Offer extends Readonly<Record<Kind, readonly Item[]>> {
  /** Capabilities beyond the lists. */
  readonly abilities: ReadonlySet<Ability>;
}

/** An offer without its lists. */
export interface Outline extends Pick<Offer, 'abilities'> {
  /** The kinds of which anything is offered. */
  readonly kinds: ReadonlySet<Kind>;
}

/** What a source can do besides its lists. */
export type Ability = 'completions' | 'logging' | 'subscribe';

/** What a source announces to its subscribers. */
export type SourceEvent =
  | { readonly type: 'changed'; readonly kinds: readonly Kind[] }
  /**
   * Long lists are in `offer`, and `changed` follows. What subscribers prepare for it runs in slices
   * before that.
   */
  | {
      readonly type: 'changing';
      readonly kinds: readonly Kind[];
      readonly prepare: (work: Slices<void>) => void;
    }
  | {
      readonly type: 'resource-updated';
      readonly uri: string;
      readonly params: string;
      /**
       * The resource's name in `offer`, if that is not the URI: a hub distinguishes equal URIs by
       * it.
       */
      readonly name?: string;
    }
  /** A log message that belongs to no call. `server` is set by a hub. */
  | { readonly type: 'log'; readonly params: string; readonly server?: string }
  /**
   * The user has finished with a page that a server asked a client to open. `server` is set by a
   * hub.
   */
  | { readonly type: 'elicitation'; readonly params: string; readonly server?: string }
  /** A task of a server has changed. `server` is set by a hub. */
  | { readonly type: 'task'; readonly params: string; readonly server?: string }
  /** A server has started, or another one has taken its place: it knows no subscriptions. */
  | { readonly type: 'started'; readonly server?: string };

/** Ends a subscription. */
export type Unsubscribe = () => void;

/**
 * The central interface: everything that can be served is a source. Members marked with `?` are for
 * sources of many servers, or for extensions; a plain source needs none of them.
 */
export interface Source {
  /** The current offer. A new object whenever anything in it changes. */
  readonly offer: Offer;
  /** What it offers, without the lists. Cheap, even if `offer` is not. Default: see `offer`. */
  readonly outline?: Outline;
  /** The server's instructions to models. For many servers: merged. */
  readonly instructions?: string | undefined;
  /** The skills that it serves, by URI. Default: it serves none. */
  readonly skills?: readonly Item[] | undefined;
  /** Prepares the offer of a kind in slices. Default: it is always ready. */
  prepare?(kind: Kind): Slices<void>;
  /** Work that makes the next `route` quick; `undefined`: it is quick already. */
  prepareNames?(kind: Kind): Slices<void> | undefined;
  /**
   * The route to an item; `undefined` if it is not offered. Pages that tools name have routes even
   * if no list has them.
   */
  route(kind: Kind, name: string): Route | undefined;
  /** Announces changes once they are in `offer`, never before. */
  subscribe(listener: (event: SourceEvent) => void): Unsubscribe;
  /**
   * Sends a notification or request that is not a call to one item, such as a log level.
   * `to` chooses the servers. Default: all.
   */
  tell(method: string, params: string, to?: (server: string) => boolean): void;
  /**
   * Sends a request that names no listed item to one server, unchanged, such as a question about a
   * task. `undefined`: clients of this source may not see the server. Missing if there is no server to
   * send it to.
   */
  relay?(server: string, call: Call): Promise<Reply> | undefined;
  /**
   * A tool that clients may see and that is reached through a listed one, by its canonical name.
   */
  behind?(canonical: string): Route | undefined;
  /**
   * The capabilities of the servers that clients may see, for clients of an era. Each as JSON text.
   */
  capabilitiesFor?(era: Era): readonly string[];
  /** Whether clients of this source may see anything of a server. Default: they may. */
  seesServer?(server: string): boolean;
  /** Whose account at the server its calls use. Missing if all callers use one. */
  readonly account?: string | undefined;
  /** Why calls cannot be answered now. Missing if they can be. */
  readonly unavailable?: string | undefined;
  /**
   * The error for an unknown name that belongs to an unavailable server. `undefined`: it belongs to
   * none.
   */
  explainUnavailable?(kind: 'tool' | 'prompt', name: string): CallsignError | undefined;
  /** Missing if the source is one server without a key, and its names stay the same. */
  readonly catalogue?: Catalogue;
  /** The route to an item that is not offered because each call to it is denied. The call says so. */
  denied?(kind: Kind, name: string): Route | undefined;
  /** The item that a name has which clients of this source may not see. Only for records. */
  hidden?(kind: Kind, name: string): Slices<Target | undefined>;
  /** The error for an unknown tool or prompt. Default: a plain "not found". */
  explainUnknown?(kind: 'tool' | 'prompt', name: string): Slices<NameError>;
}

/** The offered items with their identities and labels, before names for a client are chosen. */
export interface Catalogue {
  /** The catalogue with the items that are not offered. Default: everything is offered. */
  readonly whole?: WholeCatalogue | undefined;
  readonly abilities: ReadonlySet<Ability>;
  /** The capabilities of some servers for clients of an era, each as JSON text. */
  capabilitiesOf(era: Era, isMeant: (server: string) => boolean): readonly string[];
  /** Sends a request to one server, as it is. `undefined`: there is no such server. */
  relay(server: string, call: Call): Promise<Reply> | undefined;
  /** The capabilities of some servers. */
  abilitiesOf(isMeant: (server: string) => boolean): ReadonlySet<Ability>;
  /**
   * Everything of one kind, a list for each server; the same lists until something in them changes.
   */
  byServer(kind: Kind): readonly (readonly Entry[])[];
  /** Tools that are reached through listed ones. Missing if there are none. */
  behind?(): readonly (readonly Entry[])[];
  /** One item by its canonical name. */
  entry(kind: Kind, canonical: string): Entry | undefined;
  /** A page that a tool of a server names, whether or not the server lists it. */
  page(server: string, uri: string): Entry | undefined;
  /** Whether an item may be listed and called. */
  admits(kind: Kind, ref: ToolRef): boolean;
  /** The instructions of each server that may be shown, in order. */
  readonly serverInstructions: readonly ServerInstructions[];
  /** The skills of each server, in order. */
  readonly serverSkills: readonly ServerSkill[];
  /** Why a server's calls cannot be answered now. */
  whyUnavailable?(server: string): string | undefined;
}

/** A server's instructions to models. */
export interface ServerInstructions {
  /** Its key. Empty: the source is one server without a key. */
  readonly server: string;
  readonly text: string;
}

/** A skill, as its server describes it. */
export interface ServerSkill {
  /** The server's key. Empty: the source is one server without a key. */
  readonly server: string;
  readonly skill: Item;
}

/** The offer of a source that has nothing. */
export const NOTHING: Offer = {
  tool: [],
  prompt: [],
  resource: [],
  template: [],
  abilities: new Set(),
};

/**
 * Why an item is in no list. `denied`: every call to it is answered as denied. `hidden`: no name reaches
 * it.
 */
export type Withheld = 'denied' | 'hidden';

/** A catalogue of everything that servers have. */
export interface WholeCatalogue extends Catalogue {
  /** Whether some items of a kind are denied, or hidden from every client. */
  has(kind: Kind, why: Withheld): boolean;
  /** Why an item is not offered. `undefined`: it is. */
  withheld(kind: Kind, canonical: string): Withheld | undefined;
}
