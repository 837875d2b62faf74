/** A tool as a search reads it. */
export interface SearchedTool {
  readonly name: string;
  /** The key of its server, where several servers are searched at once. */
  readonly server?: string;
  readonly title?: string;
  readonly description?: string;
  readonly parameters?: readonly SearchedParameter[];
}

export interface SearchedParameter {
  readonly name: string;
  /** Counts where it is a text; a server may send anything. */
  readonly description?: unknown;
}
