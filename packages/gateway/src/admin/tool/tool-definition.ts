/** Reads the title, description and parameters of a tool from a definition that may be malformed. */

import type { Entry } from '@callsign/core';
import { titleCase } from '@callsign/naming';

import { isRecord } from '@callsign/config';

import type { ParameterData } from '../data/admin-data.js';

/** A definition with a value for every text. Missing texts are empty. */
export interface ToolDefinition {
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly ParameterData[];
  /** The definition as a whole, parsed. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Never throws. The operator's title wins over the server's, which wins over the name. */
export function definitionOfTool({ item, title }: Pick<Entry, 'item' | 'title'>): ToolDefinition {
  const raw = parsed(item.json);
  const { description, annotations, inputSchema } = raw;
  const hinted = isRecord(annotations) ? annotations['title'] : undefined;
  return {
    title: [title, hinted].find((each) => typeof each === 'string') ?? titleCase(item.name),
    description: typeof description === 'string' ? description : '',
    parameters: parametersOf(inputSchema),
    raw,
  };
}

/** The top-level properties of a JSON Schema; empty for anything else. */
export function parametersOf(schema: unknown): ParameterData[] {
  if (!isRecord(schema)) return [];
  const { properties, required } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  if (!isRecord(properties)) return [];
  return Object.entries(properties).map(([name, each]) => {
    const own = isRecord(each) ? each : {};
    const { description } = own;
    return {
      name,
      type: typeOf(own),
      isRequired: needed.includes(name),
      description: typeof description === 'string' ? description : '',
      schema: own,
    };
  });
}

function typeOf({ type, enum: choices, anyOf, oneOf }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(choices)) return choices.map((each) => JSON.stringify(each)).join(' | ');
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.join(' | ');
  const either = anyOf ?? oneOf;
  if (!Array.isArray(either)) return 'any';
  return [...new Set(either.map((each) => (isRecord(each) ? typeOf(each) : 'any')))].join(' | ');
}

function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
