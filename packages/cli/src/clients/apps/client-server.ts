/** A server in the file of a client, before it is translated. */

import type { WrittenEntry } from '@callsign/config';

/** One server, with where it was found and how to read it. */
export interface ClientServer {
  /** The client's name for the server. It may not be a valid key in our configuration. */
  readonly key: string;
  /** The keys that lead to it in the document. */
  readonly path: readonly string[];
  readonly entry: WrittenEntry;
  /** Whether the client does not start it. */
  readonly isOff: boolean;
  /** The id of the client. For a file of no known client: the name of the file. */
  readonly client: string;
  readonly file: string;
  /** Whether "${NAME}" in it is a variable. If not, "$" is a plain character. */
  readonly expands: boolean;
  /** The field that limits a call, in milliseconds. Missing if the client has none. */
  readonly callLimit?: string | undefined;
  /**
   * The folder of the project, for "${workspaceFolder}". Missing if the client starts the server in
   * all folders.
   */
  readonly workspace?: string;
  /** The defaults of the inputs that the client asks for, by id. Missing if it has none. */
  readonly inputs?: Readonly<Record<string, string>>;
}
