/** Reads the parameters of an operation outside its body: in the path, the query, a header or a cookie. */

import { isObject, memberOf } from '@callsign/core';
import { overridesMethod } from '@callsign/effects';

import type { ParamDocument, PropertyShape, ValueShape } from '../../adapter/adapter-document.js';
import { typeFits } from '../../adapter/type-fits.js';
import { defaultOf } from '../spec/shape-constraints.js';
import type { ShapeReader } from '../spec/shape-reader.js';
import { lineOf, pointerOf, type SpecNode, textOf } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';

/** A parameter for an operation. It gets its unique name there later. */
export interface WireParam {
  /** Its name at the target. */
  readonly wireName: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie' | 'body' | 'payload';
  readonly param: Omit<ParamDocument, 'in' | 'as'>;
  /** Its name before names are made unique within the operation. */
  readonly preferredName: string;
  readonly pointer: string;
  /** A value from the document. Only of required parameters. */
  readonly example?: unknown;
}

/** Characters of an example, as JSON. */
const MAX_EXAMPLE = 200;

/** Headers that an operation must not set. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  `accept authorization connection content-length content-type cookie host proxy-authorization
  transfer-encoding`.split(/\s+/),
);
const DESCRIPTION_LENGTH = 200;

/** The parameters of the path item and of the operation. The operation's own win. */
export function parametersOf(
  reader: SpecReader,
  pathItem: SpecNode,
  operation: SpecNode,
): SpecNode[] {
  const own = [pathItem, operation].flatMap((node) =>
    reader.elements(reader.at(node, 'parameters')),
  );
  const byIdentity = new Map(
    own
      .filter(
        ({ value }) =>
          typeof memberOf(value, 'name') === 'string' || memberOf(value, 'in') === 'body',
      )
      .map((node) => [
        `${String(memberOf(node.value, 'in'))} ${String(memberOf(node.value, 'name'))}`,
        node,
      ]),
  );
  return [...byIdentity.values()];
}

/**
 * Converts one parameter. Returns several if its parts are sent separately, and none if it is left
 * out.
 */
export function readParameter(
  node: SpecNode,
  reader: SpecReader,
  shapes: ShapeReader,
): WireParam[] {
  const wireName = textOf(node, 'name') ?? '';
  const place = memberOf(node.value, 'in');
  const pointer = pointerOf(node);
  const leftOut = (why: string): WireParam[] => {
    reader.findings.note('left-out', pointer, `The parameter "${wireName.slice(0, 80)}" ${why}.`);
    return [];
  };
  if (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'cookie') {
    return leftOut('is in a place that HTTP does not have');
  }
  if (!isWireName(wireName)) return leftOut('has a name that cannot be sent');
  if (place !== 'path' && overridesMethod(wireName)) {
    return leftOut('would replace the method of the request');
  }
  if (place === 'header' && OWN_HEADERS.has(wireName.toLowerCase())) return [];
  if (place === 'header' && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(wireName)) {
    return leftOut('is not a header name');
  }
  const schema = schemaOf(node, reader);
  const shape = asText(shapes.read(schema), schema, reader);
  const isRequired = place === 'path' || memberOf(node.value, 'required') === true;
  const described = lineOf(textOf(node, 'description'), DESCRIPTION_LENGTH) ?? shape.description;
  const standard = isRequired ? undefined : defaultOf(schema, shape);
  const base = { wireName, place, pointer, preferredName: wireName } as const;
  const style = styleOf(node, place);
  const isParts = style === 'deep' || style === 'repeat';
  if (shape.type === 'object' && shape.properties && place === 'query' && isParts) {
    return expanded(base, shape, style === 'deep', isRequired);
  }
  const pathStyle = place === 'path' ? pathStyleOf(node) : undefined;
  const { description: _, ...plain } = shape;
  const param = {
    ...plain,
    ...(described === undefined ? {} : { description: described }),
    ...(isRequired ? { required: true } : {}),
    ...(standard === undefined ? {} : { default: standard }),
    ...(pathStyle === undefined ? {} : { path_style: pathStyle }),
    ...stylesOf(style, pathStyle ?? place, shape),
  };
  const example = isRequired ? exampleOf(node, schema, shape, reader) : undefined;
  return [{ ...base, param, ...(example === undefined ? {} : { example }) }];
}

/** The first example that fits. Outside a body, a number is also an example of a text. */
function exampleOf(
  node: SpecNode,
  schema: SpecNode,
  shape: ValueShape,
  reader: SpecReader,
): unknown {
  const named = reader.entries(reader.at(node, 'examples'));
  const listed = memberOf(schema.value, 'examples');
  const written: unknown[] = [
    memberOf(node.value, 'example'),
    ...named.map(([, { value }]) => memberOf(value, 'value')),
    memberOf(schema.value, 'example'),
    ...(Array.isArray(listed) ? (listed as unknown[]) : []),
    memberOf(schema.value, 'default'),
  ];
  const values = written.map((value) =>
    typeof value === 'number' && shape.type === 'string' ? String(value) : value,
  );
  return values.find((value) => {
    if (value === undefined || value === null || value === '' || !typeFits(value, shape))
      return false;
    return JSON.stringify(value).length <= MAX_EXAMPLE;
  });
}

/** Outside a JSON body every value is text, so a value without a type is text. */
export function asText(shape: ValueShape, schema: SpecNode, reader: SpecReader): ValueShape {
  if (shape.type !== 'any') return shape;
  const message = 'It has no type and was imported as a string. Check it.';
  reader.findings.note('guess', pointerOf(schema), message);
  return { ...shape, type: 'string' };
}

function mayBe(wanted: 'array' | 'object', { type, one_of = [] }: ValueShape): boolean {
  return type === wanted || one_of.some((form) => mayBe(wanted, form));
}

/** Whether a name can be sent: no white space and no control characters. */
export function isWireName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they would break a header or a query
  return /^[^\s\u0000-\u001f\u007f]{1,200}$/.test(name);
}

/** In 2.0 a parameter is its own schema. From 3.0 on it has one, directly or under a media type. */
function schemaOf(node: SpecNode, reader: SpecReader): SpecNode {
  const schema = reader.at(node, 'schema');
  if (isObject(schema.value)) return schema;
  const [[, content] = []] = reader.entries(reader.at(node, 'content'));
  return content ? reader.at(content, 'schema') : node;
}

type ListStyle = NonNullable<ParamDocument['list_style']>;
type Style = ListStyle | 'deep' | 'json';

const COLLECTION_FORMATS: ReadonlyMap<unknown, ListStyle> = new Map([
  ['csv', 'comma'],
  ['ssv', 'space'],
  ['tsv', 'tab'],
  ['pipes', 'pipe'],
  ['multi', 'repeat'],
]);

function styleOf({ value }: SpecNode, place: string): Style {
  if (isObject(memberOf(value, 'content'))) return 'json';
  const isOld = memberOf(value, 'schema') === undefined && memberOf(value, 'style') === undefined;
  return isOld ? collectionStyle({ value }) : statedStyle({ value }, place);
}

/** What `style` and `explode` say. Only queries and cookies are exploded without it. */
export function statedStyle({ value }: Pick<SpecNode, 'value'>, place: string): Style {
  const style = memberOf(value, 'style');
  const explode = memberOf(value, 'explode');
  if (style === 'deepObject') return 'deep';
  if (style === 'pipeDelimited' && explode !== true) return 'pipe';
  if (style === 'spaceDelimited' && explode !== true) return 'space';
  return (explode ?? (place === 'query' || place === 'cookie')) === true ? 'repeat' : 'comma';
}

/** How OpenAPI 2.0 writes a list. */
export function collectionStyle({ value }: Pick<SpecNode, 'value'>): ListStyle {
  return COLLECTION_FORMATS.get(memberOf(value, 'collectionFormat')) ?? 'comma';
}

function pathStyleOf({ value }: SpecNode): ParamDocument['path_style'] {
  const style = memberOf(value, 'style');
  return style === 'label' || style === 'matrix' ? style : undefined;
}

type Written = Pick<ParamDocument, 'list_style' | 'object_style'>;

/** How the lists and objects of a value are written. `place` may be the style of a path. */
export function stylesOf(style: Style, place: string, shape: ValueShape): Written {
  return {
    ...(mayBe('array', shape) ? listStyle(style, place) : {}),
    ...(mayBe('object', shape) ? { object_style: objectStyle(style, place) } : {}),
  };
}

/** A list is repeated in a query, and has commas elsewhere, unless the document says otherwise. */
function listStyle(style: Style, place: string): Written {
  if (style === 'json') return { object_style: 'json' };
  if (style === 'deep') return {};
  if (place === 'query') return style === 'repeat' ? {} : { list_style: style };
  const mayRepeat = place === 'label' || place === 'matrix' || place === 'cookie';
  return mayRepeat && style === 'repeat' ? { list_style: style } : {};
}

/** As specified: in a path or a header, `explode` writes `a=1,b=2` instead of `a,1,b,2`. */
function objectStyle(style: Style, place: string): NonNullable<ParamDocument['object_style']> {
  if (style === 'json' || style === 'deep') return style;
  if (place === 'query' && (style === 'space' || style === 'pipe')) return style;
  if (style !== 'repeat') return 'comma';
  return place === 'query' || place === 'cookie' ? 'keys' : 'pairs';
}

/** An object in a query is sent in parts: `filter[flag]=NO`, or `flag=NO`. */
function expanded(
  base: Omit<WireParam, 'param'>,
  { properties = {} }: ValueShape,
  isDeep: boolean,
  isRequired: boolean,
): WireParam[] {
  return Object.entries(properties).flatMap(([key, property]: [string, PropertyShape]) => {
    const wireName = isDeep ? `${base.wireName}[${key}]` : key;
    if (!isWireName(wireName) || overridesMethod(wireName)) return [];
    const preferredName = isDeep ? `${base.wireName}_${key}` : key;
    // A part of an object that may be missing is required only if another part is sent.
    const { required = false, ...plain } = property;
    const isNested = isDeep && (mayBe('object', property) || property.type === 'array');
    const param = {
      ...plain,
      ...(required && isRequired ? { required } : {}),
      ...(isNested ? { object_style: 'deep' as const } : {}),
    };
    return [{ ...base, wireName, preferredName, param }];
  });
}
