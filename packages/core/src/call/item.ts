/** One offered item: a tool, a prompt, a resource or a resource template. */

export interface Item {
  /** The name, the URI of a resource, or the URI template. Unique within its kind. */
  readonly name: string;
  /** The server's definition as JSON text. The name in it may differ from `name`. */
  readonly json: string;
}
