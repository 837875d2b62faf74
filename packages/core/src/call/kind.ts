/** The kinds of items that a server offers. */

export const KINDS = ['tool', 'prompt', 'resource', 'template'] as const;

/** A template is a resource with variables in its URI. */
export type Kind = (typeof KINDS)[number];

/** One value per kind. */
export function byKind<T>(make: (kind: Kind) => T): Readonly<Record<Kind, T>> {
  return {
    tool: make('tool'),
    prompt: make('prompt'),
    resource: make('resource'),
    template: make('template'),
  };
}
