/** Parses `maps_to`, the text that says what an operation is at its target. */

/** The methods that an operation can use. */
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** An operation cannot use HEAD or OPTIONS. */
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Literal text or a parameter. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string };

/** What a call becomes at the target. */
export type Mapping =
  | {
      readonly kind: 'http';
      readonly method: HttpMethod;
      readonly path: readonly TemplatePart[];
    }
  /** One list of parts for each word, so that a value never becomes two words. */
  | { readonly kind: 'command'; readonly words: readonly (readonly TemplatePart[])[] }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'tool'; readonly name: string };

const HTTP = new RegExp(`^(${HTTP_METHODS.join('|')}) (/\\S*)$`);
const NAMED = /^(function|tool):(\S+)$/;
const COMMAND = /^command:(.*)$/;
const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Returns `undefined` for an unknown form. */
export function parseMapsTo(text: string): Mapping | undefined {
  const [, method, path] = HTTP.exec(text) ?? [];
  if (method !== undefined) {
    return { kind: 'http', method: method as HttpMethod, path: templateOf(path!) };
  }
  const [, kind, name] = NAMED.exec(text) ?? [];
  if (kind !== undefined) return { kind: kind as 'function' | 'tool', name: name! };
  const [, words] = COMMAND.exec(text) ?? [];
  if (words === undefined) return undefined;
  return { kind: 'command', words: words.split(' ').filter(Boolean).map(templateOf) };
}

/** The parameters in a mapping. */
export function placeholdersOf(mapping: Mapping): string[] {
  const parts =
    mapping.kind === 'http' ? mapping.path : mapping.kind === 'command' ? mapping.words.flat() : [];
  return parts.flatMap((part) => (part.kind === 'param' ? part.name : []));
}

function templateOf(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    if (index > end) parts.push({ kind: 'text', text: text.slice(end, index) });
    parts.push({ kind: 'param', name });
    end = index + whole.length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}
