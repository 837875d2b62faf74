/** What the five tools lead to, as introspection and dispatch see it: an adapter's operations, or a server's tools. */

import type { Endpoint } from '@callsign/annotations';

import type { TypeDocument } from '../adapter/adapter-document.js';
import type { OperationInfo } from './operation-info.js';

export interface CatalogueEntry {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly description: string;
  /** All there is to know; made when somebody asks. */
  info(): OperationInfo;
}

export interface Catalogue<E extends CatalogueEntry = CatalogueEntry> {
  /** As its author writes it: `apple-mail`. */
  readonly name: string;
  /** For people: `Apple Mail`. */
  readonly displayName: string;
  /** Every endpoint that is offered, with the name of its tool. */
  readonly toolNames: ReadonlyMap<Endpoint, string>;
  readonly operations: ReadonlyMap<string, E>;
  readonly types: ReadonlyMap<string, TypeDocument>;
  readonly capabilities: Readonly<Record<string, boolean>>;
  /** How large requests and answers may be, where that is ours to say. */
  readonly limits: Readonly<Record<string, number>> | undefined;
}
