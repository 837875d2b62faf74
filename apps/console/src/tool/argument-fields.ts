/** Form fields for the arguments of a tool: the kind of each field, and the arguments from their values. */

import type { ParameterData } from '@callsign/admin/data';

/** `json`: a text field whose content must be JSON, for lists and objects. */
export type FieldKind =
  | { readonly is: 'text' | 'number' | 'json' }
  | { readonly is: 'choice'; readonly options: readonly string[] };

export function fieldKind(schema: ParameterData['schema']): FieldKind {
  const { enum: choices, type } = schema;
  if (Array.isArray(choices) && choices.every((each) => typeof each === 'string')) {
    return { is: 'choice', options: choices };
  }
  if (type === 'boolean') return { is: 'choice', options: ['true', 'false'] };
  if (type === 'number' || type === 'integer') return { is: 'number' };
  return { is: type === 'string' ? 'text' : 'json' };
}

/** Empty fields are left out, unless they are required texts. Throws if a value is invalid. */
export function argumentsOf(
  parameters: readonly ParameterData[],
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const given = parameters.flatMap(({ name, schema, isRequired }) => {
    const text = values[name] ?? '';
    const kind = fieldKind(schema);
    const isText = kind.is === 'text' || (kind.is === 'choice' && schema['type'] !== 'boolean');
    if (text === '' && !(isRequired && isText)) return [];
    return [[name, isText ? text : parsed(name, text)] as const];
  });
  return Object.fromEntries(given);
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`${name} is not JSON. Put quotes around text.`);
  }
}
