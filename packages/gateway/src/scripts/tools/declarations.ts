/** TypeScript declarations of tools, as a program of a script sees them. */

import { isObject, memberText, type Target, visibleLine } from '@callsign/core';

const MAX_DEPTH = 6;
const MAX_MEMBERS = 60;
const MAX_WORDS = 400;

/** One function with its label. */
export function declarationOf(target: Target): string {
  const { ref, item, risk } = target;
  const definition = JSON.parse(item.json) as Record<string, unknown>;
  const words = visibleLine(String(definition['description'] ?? ''), MAX_WORDS).replaceAll(
    '*/',
    '* /',
  );
  const output = memberText(item.json, 'outputSchema');
  const result = output === undefined ? 'unknown' : typeOf(JSON.parse(output), 0);
  const asks = risk === 'read' ? 'read' : `${risk}: a person must approve it`;
  const name = `tools${member(ref.server)}${member(ref.tool)}`;
  const given = typeOf(definition['inputSchema'], 0);
  return `/** ${words} [${asks}] */\n${name}(args: ${given}): Promise<${result}>;`;
}

function member(name: string): string {
  return isPlain(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function isPlain(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** The type that a JSON Schema describes. `unknown` where it is too deep or says nothing. */
export function typeOf(schema: unknown, depth: number): string {
  if (!isObject(schema) || depth > MAX_DEPTH) return 'unknown';
  const { type, properties, items, anyOf, oneOf } = schema;
  const [values, required] = [schema['enum'], schema['required']];
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(values))
    return values
      .slice(0, MAX_MEMBERS)
      .map((each) => JSON.stringify(each))
      .join(' | ');
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices))
    return (
      choices
        .slice(0, MAX_MEMBERS)
        .map((each) => typeOf(each, depth + 1))
        .join(' | ') || 'unknown'
    );
  if (Array.isArray(type))
    return type.map((each) => typeOf({ ...schema, type: each }, depth + 1)).join(' | ');
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${typeOf(items, depth + 1)}>`;
    default:
  }
  if (!isObject(properties)) return type === 'object' ? 'Record<string, unknown>' : 'unknown';
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(properties)
    .slice(0, MAX_MEMBERS)
    .map(([name, each]) => {
      const key = isPlain(name) ? name : JSON.stringify(name);
      return `${key}${needed.has(name) ? '' : '?'}: ${typeOf(each, depth + 1)}`;
    });
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
}
