/** A server in the file of a client, as the client writes it. */

import type { WrittenEntry } from '../document/written-entry.js';

export interface ClientServer {
  readonly key: string;
  readonly entry: WrittenEntry;
  /** The client that it came from, or the name of the file. */
  readonly client: string;
  readonly file: string;
  readonly expands: boolean;
  /** The folder of the project, if the file is that of one. */
  readonly workspace?: string;
}
