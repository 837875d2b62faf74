/** Form fields for the arguments of a tool: the kind of each field, and the arguments from their values, as JSON text. */

import type { ParameterData } from '@callsign/gateway/admin/data';

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

/**
 * Empty fields are left out, unless they are required texts. Numbers stay as they were typed. Throws if a
 * value is invalid.
 */
export function argumentsOf(
  parameters: readonly ParameterData[],
  values: Readonly<Record<string, string>>,
): string {
  const given = parameters.flatMap(({ name, schema, isRequired }) => {
    const text = values[name] ?? '';
    const kind = fieldKind(schema);
    const isText = kind.is === 'text' || (kind.is === 'choice' && schema['type'] !== 'boolean');
    if (text === '' && !(isRequired && isText)) return [];
    return [`${JSON.stringify(name)}:${isText ? JSON.stringify(text) : checked(name, text)}`];
  });
  return `{${given.join(',')}}`;
}

function checked(name: string, text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw new Error(`${name} is not JSON. Put quotes around text.`);
  }
}
