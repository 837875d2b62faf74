/** Something to read at a path of the listener besides MCP, such as metrics. */

export interface Page {
  /** Its media type. */
  readonly type: string;
  /** Whether it is there for everybody, even where a credential is asked for. */
  readonly isPublic?: boolean;
  readonly text: () => string | Promise<string>;
}
