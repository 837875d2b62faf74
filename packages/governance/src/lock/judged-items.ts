/** Everything of a server that the lock file compares: tools, prompts, templates and instructions. */

import type { Item, Kind } from '@callsign/core';
import { canonicalName } from '@callsign/naming';

/** What a server offers. Unset prompts and templates are not judged. */
export interface JudgedOffer {
  readonly tools: readonly Item[];
  readonly prompts?: readonly Item[];
  readonly templates?: readonly Item[];
  readonly instructions?: string | undefined;
}

export type JudgedKind = 'tool' | 'prompt' | 'template' | 'instructions';

/** The name of the item that stands for the instructions. No tool has an empty name. */
const INSTRUCTIONS = '';
/**
 * What stands before the names of other kinds. A tool with such a name has another definition than the prompt, so
 * the two can only be in each other's way.
 */
export const PREFIXES: Readonly<Record<'prompt' | 'template', string>> = {
  prompt: 'prompts/',
  template: 'templates/',
};
const EMPTY = '{}';

/** `undefined`: the server gives none. That is an item too, so that later instructions count as a change. */
export function instructionsItem(text: string | undefined): Item {
  const json = JSON.stringify(text === undefined ? {} : { description: text });
  return { name: INSTRUCTIONS, json };
}

export function isInstructions({ name }: Pick<Item, 'name'>): boolean {
  return name === INSTRUCTIONS;
}

export function judgedKind(name: string): JudgedKind {
  if (name === INSTRUCTIONS) return 'instructions';
  if (name.startsWith(PREFIXES.prompt)) return 'prompt';
  return name.startsWith(PREFIXES.template) ? 'template' : 'tool';
}

/** The name that the server gives it, without what we put before it; empty for the instructions. */
export function judgedOwnName(name: string): string {
  const kind = judgedKind(name);
  return kind === 'prompt' || kind === 'template' ? name.slice(PREFIXES[kind].length) : name;
}

/** The name under which an item of a kind is judged; `undefined` for kinds that are not. */
export function judgedAs(kind: Kind, name: string): string | undefined {
  if (kind === 'tool') return name;
  return kind === 'resource' ? undefined : PREFIXES[kind] + name;
}

/** Says that prompts, or templates, are compared at all: files of earlier versions do not have them. */
export function isMarker({ name }: Pick<Item, 'name'>): boolean {
  return name === PREFIXES.prompt || name === PREFIXES.template;
}

export function markerOf(kind: 'prompt' | 'template'): Item {
  return { name: PREFIXES[kind], json: EMPTY };
}

/** The tools of a server, and the rest of what is judged as more items. */
export function judgedItems({
  tools,
  prompts,
  templates,
  instructions,
}: JudgedOffer): readonly Item[] {
  return [
    ...tools,
    ...prefixed('prompt', prompts),
    ...prefixed('template', templates),
    instructionsItem(instructions),
  ];
}

function prefixed(kind: 'prompt' | 'template', items: readonly Item[] | undefined): Item[] {
  if (items === undefined) return [];
  const named = items.map(({ name, json }) => ({ name: PREFIXES[kind] + name, json }));
  return [...named, markerOf(kind)];
}

/** A judged item for people: `server:tool`, `server:prompts/name`, or `server (instructions)`. */
export function judgedName(server: string, name: string): string {
  return isInstructions({ name })
    ? `${server} (instructions)`
    : canonicalName({ server, tool: name });
}
