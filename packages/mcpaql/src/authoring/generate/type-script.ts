/**
 * Writes values and shapes as TypeScript. Names and texts are untrusted, so all are quoted or
 * escaped.
 */

import type { PropertyShape, ValueShape } from '../../adapter/adapter-document.js';
import type { Param } from '../../adapter/adapter.js';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A value as an expression, maps included. */
export function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (value instanceof Map) {
    if (value.size === 0) return 'new Map()';
    const entries = Array.from(value, ([key, member]: [unknown, unknown]) => {
      return `${inner}[${literal(key)}, ${literal(member, inner)}],\n`;
    });
    return `new Map([\n${entries.join('')}${indent}])`;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const plain = value.map((element) => literal(element, inner));
    const line = `[${plain.join(', ')}]`;
    if (line.length < 80 && !line.includes('\n')) return line;
    return `[\n${plain.map((element) => `${inner}${element},\n`).join('')}${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => {
      return `${inner}${propertyKey(key)}: ${literal(member, inner)},\n`;
    });
    return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
  }
  return value === undefined ? 'undefined' : quoted(value);
}

/** The type of a value of this shape. */
export function typeOf(shape: ValueShape, indent = ''): string {
  if (shape.shape !== undefined) {
    return `${shapeName(shape.shape)}${shape.nullable ? ' | null' : ''}`;
  }
  const type = shape.enum ? shape.enum.map(quoted).join(' | ') : plainType(shape, indent);
  return shape.nullable ? `${type} | null` : type;
}

/** The type of a shape that several operations share. */
export function shapeName(name: string): string {
  return `Shape_${name}`;
}

/** An object type with these members. */
export function objectType(
  members: Iterable<readonly [string, PropertyShape | Param]>,
  indent = '',
  isOpen = false,
): string {
  const inner = `${indent}  `;
  const lines = Array.from(members, ([key, member]) => {
    const { description, required = false } = member;
    const mark = required ? '' : '?';
    return `${comment(description, inner)}${inner}readonly ${propertyKey(key)}${mark}: ${typeOf(member, inner)};\n`;
  });
  if (isOpen) lines.push(`${inner}readonly [key: string]: unknown;\n`);
  return lines.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${lines.join('')}${indent}}`;
}

/** A line of documentation. Untrusted text cannot end it. */
export function comment(text: string | undefined, indent = ''): string {
  if (text === undefined || text === '') return '';
  return `${indent}/** ${oneLine(text).replaceAll('*/', '* /')} */\n`;
}

/** Text on one line, for Markdown and comments. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim();
}

/** Safe inside source code: line separators and quotes are escaped. */
export function quoted(value: unknown): string {
  const json = JSON.stringify(value)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  if (typeof value !== 'string' || value.includes("'")) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}

function plainType(shape: ValueShape, indent: string): string {
  switch (shape.type) {
    case 'any':
      return 'unknown';
    case 'file':
      return 'Readonly<Record<string, string>>';
    case 'union':
      return shape.one_of!.map((form) => typeOf(form, indent)).join(' | ');
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const element = shape.items ? typeOf(shape.items, indent) : 'unknown';
      if (shape.prefix_items) return tupleType(shape, element, indent);
      return `readonly ${/^\w+$/.test(element) ? element : `(${element})`}[]`;
    }
    case 'object': {
      const { properties, additional_properties: isOpen = false } = shape;
      if (!properties) {
        const value = typeof isOpen === 'object' ? typeOf(isOpen, indent) : 'unknown';
        return `Readonly<Record<string, ${value}>>`;
      }
      return objectType(Object.entries(properties), indent, isOpen !== false);
    }
    default:
      return shape.type;
  }
}

/** A list whose first elements have types of their own. A shorter list is valid, too. */
function tupleType(
  { prefix_items = [], min_items = 0, max_items = Infinity }: ValueShape,
  element: string,
  indent: string,
): string {
  const first = prefix_items.map((part, i) => {
    const type = typeOf(part, indent);
    return i < min_items ? type : `(${type})?`;
  });
  const rest = max_items > first.length ? [`...(${element})[]`] : [];
  return `readonly [${[...first, ...rest].join(', ')}]`;
}

/** A computed key, because a plain one would set the prototype. */
function propertyKey(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return IDENTIFIER.test(key) ? key : quoted(key);
}
