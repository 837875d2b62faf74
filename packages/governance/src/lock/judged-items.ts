/**
 * What the lock file compares: the tools, prompts, templates and instructions of a server, each as
 * an item.
 */

import type { Item, Kind } from '@callsign/core';
import { canonicalName } from '@callsign/naming';

/** What a server offers. Prompts and templates that are unset are not compared. */
export interface JudgedOffer {
  readonly tools: readonly Item[];
  readonly prompts?: readonly Item[];
  readonly templates?: readonly Item[];
  readonly instructions?: string | undefined;
}

/** Resources are not compared. */
export type JudgedKind = 'tool' | 'prompt' | 'template' | 'instructions';

/** The name of the item for the instructions. No tool has an empty name. */
const INSTRUCTIONS = '';
/**
 * Put before the names of prompts and templates. A tool could have such a name, but it has another
 * definition than the prompt: both would only be reported as changed.
 */
export const PREFIXES: Readonly<Record<'prompt' | 'template', string>> = {
  prompt: 'prompts/',
  template: 'templates/',
};
const EMPTY = '{}';

/**
 * `undefined`: the server has none. That is an item too, so that instructions added later count as
 * a change.
 */
export function instructionsItem(text: string | undefined): Item {
  const json = JSON.stringify(text === undefined ? {} : { description: text });
  return { name: INSTRUCTIONS, json };
}

/** Whether an item is the instructions of its server, and not a tool, prompt or template. */
export function isInstructions({ name }: Pick<Item, 'name'>): boolean {
  return name === INSTRUCTIONS;
}

/** Reads the kind from a name in the lock file. See `PREFIXES`. */
export function judgedKind(name: string): JudgedKind {
  if (name === INSTRUCTIONS) return 'instructions';
  if (name.startsWith(PREFIXES.prompt)) return 'prompt';
  return name.startsWith(PREFIXES.template) ? 'template' : 'tool';
}

/** The server's own name for the item, without our prefix. Empty for the instructions. */
export function judgedOwnName(name: string): string {
  const kind = judgedKind(name);
  return kind === 'prompt' || kind === 'template' ? name.slice(PREFIXES[kind].length) : name;
}

/** The name under which an item is compared; `undefined` for kinds that are not compared. */
export function judgedAs(kind: Kind, name: string): string | undefined {
  if (kind === 'tool') return name;
  return kind === 'resource' ? undefined : PREFIXES[kind] + name;
}

/**
 * Whether an item only marks that prompts or templates are compared. Files of earlier versions do
 * not have it.
 */
export function isMarker({ name }: Pick<Item, 'name'>): boolean {
  return name === PREFIXES.prompt || name === PREFIXES.template;
}

export function markerOf(kind: 'prompt' | 'template'): Item {
  return { name: PREFIXES[kind], json: EMPTY };
}

/** All items of a server that are compared. */
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

/** An item's name for people: `server:tool`, `server:prompts/name` or `server (instructions)`. */
export function judgedName(server: string, name: string): string {
  return isInstructions({ name })
    ? `${server} (instructions)`
    : canonicalName({ server, tool: name });
}
