/** The one noun: a Source offers tools, prompts and resources, and answers calls to them. */

import type { Call } from './call.js';
import type { Item } from './item.js';
import type { Kind } from './kind.js';
import type { Reply } from './reply.js';

export interface Offer extends Readonly<Record<Kind, readonly Item[]>> {
  /** What can be served beyond the lists. */
  readonly abilities: ReadonlySet<Ability>;
}

export type Ability = 'completions' | 'logging' | 'subscribe';

/** The way to one thing on offer. */
export interface Route {
  /** What it leads to, as its server defines it. */
  readonly item?: Item;
  send(call: Call): Promise<Reply>;
}

export type SourceEvent =
  | { readonly type: 'changed'; readonly kinds: readonly Kind[] }
  | {
      readonly type: 'resource-updated';
      readonly uri: string;
      readonly params: string;
      /** Its name in `offer`, where that is not the URI: a hub tells equal URIs apart by it. */
      readonly name?: string;
    }
  | { readonly type: 'log'; readonly params: string };

export type Unsubscribe = () => void;

export interface Source {
  /** What there is now. Another object whenever anything in it has changed. */
  readonly offer: Offer;
  /** The way to a thing by its name, `undefined` if it is not on offer. */
  route(kind: Kind, name: string): Route | undefined;
  /** Tells of changes, after they are in `offer`. */
  subscribe(listener: (event: SourceEvent) => void): Unsubscribe;
  /** Sends a notification or request to whoever is behind that is no call to one thing, such as a log level. */
  tell(method: string, params: string): void;
}

export const NOTHING: Offer = {
  tool: [],
  prompt: [],
  resource: [],
  template: [],
  abilities: new Set(),
};
