/** The one noun: a Source offers tools, prompts and resources, and answers calls to them. */

import type { NameError, ToolRef } from '@callsign/naming';

import type { Entry } from './entry.js';
import type { Item } from '../call/item.js';
import type { Kind } from '../call/kind.js';
import type { Route } from '../call/route.js';

export interface Offer extends Readonly<Record<Kind, readonly Item[]>> {
  /** What can be served beyond the lists. */
  readonly abilities: ReadonlySet<Ability>;
}

export type Ability = 'completions' | 'logging' | 'subscribe';

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
  /** Absent: the source is one server without a key, and its names stay as they are. */
  readonly catalogue?: Catalogue;
  /** The error for a tool's or prompt's name that has no route. Absent: a plain "not found". */
  explainUnknown?(kind: 'tool' | 'prompt', name: string): NameError;
}

/** What is on offer with identities and labels. */
export interface Catalogue {
  readonly abilities: ReadonlySet<Ability>;
  /** Everything of one kind, a list for each server; the same lists until something in them changes. */
  byServer(kind: Kind): readonly (readonly Entry[])[];
  /** One thing by its canonical name. */
  entry(kind: Kind, canonical: string): Entry | undefined;
  /** Whether a thing may be listed and called. */
  admits(kind: Kind, ref: ToolRef): boolean;
}

export const NOTHING: Offer = {
  tool: [],
  prompt: [],
  resource: [],
  template: [],
  abilities: new Set(),
};
