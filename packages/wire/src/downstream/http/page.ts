/** A page at a path of the listener besides MCP, such as metrics. */

export interface Page {
  /** Its media type. */
  readonly type: string;
  /** Served without a credential, even if one is required elsewhere. */
  readonly isPublic?: boolean;
  readonly text: () => string | Promise<string>;
}
