/** Parses the definition of a server's tool, for search and introspection. */

import type { Item } from '@callsign/core';

import type { ParameterInfo } from '../introspect/operation-info.js';

export interface ToolDefinition {
  readonly title: string | undefined;
  readonly description: string;
  readonly annotations: unknown;
  readonly parameters: readonly ParameterInfo[];
  /** Named parts that parameters refer to, if there are any. */
  readonly definitions: unknown;
}

export function readDefinition({ json }: Item): ToolDefinition {
  const { title, description, annotations, inputSchema } = JSON.parse(json) as Record<
    string,
    unknown
  >;
  const { properties, required, $defs, definitions } = record(inputSchema);
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return {
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : '',
    annotations,
    parameters: Object.entries(record(properties)).map(([name, schema]) => ({
      ...record(schema),
      name,
      required: needed.has(name),
    })),
    definitions: $defs ?? definitions,
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
