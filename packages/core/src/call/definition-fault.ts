/**
 * Finds the faults of a definition for which clients would refuse a whole list. The official SDKs
 * do that, so one bad tool of one server would hide the tools of all servers.
 */

import { isObject } from '../json/is-object.js';
import type { Kind } from './kind.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fault as a clause, such as `it has no name`; `undefined` if clients can read the definition.
 */
export function definitionFault(kind: Kind, json: string): string | undefined {
  const definition = JSON.parse(json) as Fields;
  for (const field of ['title', 'description']) {
    if (!isOptional(definition[field], isText)) return `its ${field} is not a text`;
  }
  if (kind === 'tool') return toolFault(definition);
  if (kind === 'prompt') {
    const { arguments: args } = definition;
    return isOptional(args, Array.isArray) ? undefined : 'its arguments are not a list';
  }
  return isText(definition['name']) ? undefined : 'it has no name';
}

function toolFault({ inputSchema, outputSchema, annotations }: Fields): string | undefined {
  if (!isOptional(annotations, isObject)) return 'its annotations are not an object';
  if (!isOptional(outputSchema, isObject)) return 'its outputSchema is not an object';
  // A missing schema is filled in for clients (`shown-item.ts`).
  if (inputSchema === undefined) return undefined;
  if (!isObject(inputSchema)) return 'its inputSchema is not an object';
  const { type, properties, required } = inputSchema;
  if (type !== undefined && type !== 'object') return 'the type in its inputSchema is not "object"';
  if (!isOptional(properties, isObject))
    return 'the properties in its inputSchema are not an object';
  if (!isOptional(required, isTexts)) return '"required" in its inputSchema is not a list of names';
  return undefined;
}

function isOptional(value: unknown, isRight: (value: unknown) => boolean): boolean {
  return value === undefined || isRight(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
