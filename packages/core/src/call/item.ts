/** One thing on offer: a tool, a prompt, a resource or a template of resources. */

export interface Item {
  /** The name, or the URI of a resource, or the URI template. Unique within its kind. */
  readonly name: string;
  /** The definition as its server gave it, as JSON text. Its own name in it may differ from `name`. */
  readonly json: string;
}
