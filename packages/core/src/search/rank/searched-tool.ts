/** A tool as a search reads it. */
export interface SearchedTool {
  readonly name: string;
  /** The key of its server. Missing if all tools are of one server. */
  readonly server?: string;
  readonly title?: string;
  readonly description?: string;
  readonly parameters?: readonly SearchedParameter[];
  /** By its label. A question such as `who is in the team` asks for a tool that reads. */
  readonly reads?: boolean;
}

/** A parameter counts less than the name and the description of its tool. */
export interface SearchedParameter {
  readonly name: string;
  /** Used only if it is a text, since a server may send anything. */
  readonly description?: unknown;
}
