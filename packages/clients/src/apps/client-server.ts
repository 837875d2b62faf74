/** A server in the file of a client, as the client writes it. */

import type { WrittenEntry } from '@callsign/config';

export interface ClientServer {
  readonly key: string;
  /** Where it is in the file. */
  readonly path: readonly string[];
  readonly entry: WrittenEntry;
  /** The client that it came from, or the name of the file. */
  readonly client: string;
  readonly file: string;
  readonly expands: boolean;
  /** The folder of the project, if the file belongs to a project. */
  readonly workspace?: string;
}
