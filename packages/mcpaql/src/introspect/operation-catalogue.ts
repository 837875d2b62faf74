/** The operations behind the five tools, for introspection and dispatch: of an adapter, or of a server. */

import type { Endpoint } from '@callsign/effects';

import type { TypeDocument } from '../adapter/adapter-document.js';
import type { OperationInfo } from './operation-info.js';

export interface CatalogueEntry {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly description: string;
  /** All details, computed on demand. */
  info(): OperationInfo;
}

/** What one caller may see. It may differ between callers. */
export interface OperationCatalogue<E extends CatalogueEntry = CatalogueEntry> {
  /** As its author writes it: `apple-mail`. */
  readonly name: string;
  /** For people: `Apple Mail`. */
  readonly displayName: string;
  /** Every offered endpoint, with the name of its tool. */
  readonly toolNames: ReadonlyMap<Endpoint, string>;
  readonly operations: ReadonlyMap<string, E>;
  readonly types: ReadonlyMap<string, TypeDocument>;
  readonly capabilities: Readonly<Record<string, boolean>>;
  /** Limits of requests and answers, if they are ours. */
  readonly limits: Readonly<Record<string, number>> | undefined;
}
