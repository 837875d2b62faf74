/** Reads the body of an operation as parameters: one per field, or one for the whole body. */

import { isObject, memberOf } from '@callsign/core';

import type {
  OperationDocument,
  PropertyShape,
  ValueShape,
} from '../../adapter/adapter-document.js';
import { withParts } from '../../adapter/shape-parts.js';
import type { ShapeReader } from '../spec/shape-reader.js';
import { lineOf, pointerOf, type SpecNode, textOf, wordsAt } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';
import {
  asText,
  collectionStyle,
  isWireName,
  statedStyle,
  stylesOf,
  type WireParam,
} from './parameter-reader.js';

export interface ReadBody {
  readonly params: readonly WireParam[];
  readonly request: NonNullable<OperationDocument['request']>;
}

const NONE: ReadBody = { params: [], request: { format: 'json' } };
const JSON_TYPE = /^(?:(?:application|text)\/(?:[\w.+-]+\+)?json|\*\/\*)\s*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const MULTIPART_TYPE = /^multipart\/form-data\s*(?:;|$)/i;
const TEXT_TYPE =
  /^text\/|^application\/(?:[\w.+-]+\+)?(?:xml|yaml|javascript|x-ndjson|graphql)\s*(?:;|$)/i;
const CONCRETE_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const DESCRIPTION_LENGTH = 200;

type Format = NonNullable<OperationDocument['request']>['format'];

/** Formats, from the one with the most information about fields to the one with the least. */
const FORMATS: readonly (readonly [format: Format, pattern: RegExp])[] = [
  ['json', JSON_TYPE],
  ['form', FORM_TYPE],
  ['multipart', MULTIPART_TYPE],
  ['text', TEXT_TYPE],
  // Matches a type without a name, too.
  ['binary', /^/],
];

/** From 3.0 on: a body with a schema for each media type. */
export function readRequestBody(body: SpecNode, reader: SpecReader, shapes: ShapeReader): ReadBody {
  const contents = reader.entries(reader.at(body, 'content'));
  if (contents.length === 0) return NONE;
  const said = memberOf(body.value, 'required');
  const [format, pattern] = formatOf(contents.map(([type]) => type));
  const [type, content] = contents.find(([each]) => pattern.test(each))!;
  const schema = reader.at(content, 'schema');
  // Many documents omit `required` on the body and mean the fields that the schema requires.
  const isRequired =
    said === true || (said === undefined && wordsAt(schema, 'required').length > 0);
  noteOtherFields(contents, type, reader);
  const encoding = reader.at(content, 'encoding');
  const read = bodyOf(format, type, schema, isRequired, reader, shapes, encoding);
  if (format !== 'form') return read;
  return { ...read, params: read.params.map((each) => encoded(each, encoding, reader)) };
}

/** Says which fields, often a file, only another media type of the body has. */
function noteOtherFields(
  contents: readonly (readonly [type: string, content: SpecNode])[],
  chosen: string,
  reader: SpecReader,
): void {
  const fields = contents.map(([type, content]) => {
    const schema = reader.resolve(reader.at(content, 'schema'));
    const properties = schema ? reader.at(schema, 'properties').value : undefined;
    return { type, content, names: isObject(properties) ? Object.keys(properties) : [] };
  });
  const own = new Set(fields.find(({ type }) => type === chosen)!.names);
  for (const { type, content, names } of fields) {
    const others = names.filter((name) => !own.has(name));
    if (own.size === 0 || others.length === 0) continue;
    const words = others.join(', ').slice(0, 200);
    const message = `The body can also be ${type.slice(0, 80)}, with ${words}; ${chosen.slice(0, 80)} was chosen.`;
    reader.findings.note('guess', pointerOf(content), message);
  }
}

/** A field of a form in the style that the document states for it. */
function encoded(field: WireParam, encoding: SpecNode, reader: SpecReader): WireParam {
  const stated = reader.at(encoding, field.wireName);
  const isStyled = ['style', 'explode'].some((key) => memberOf(stated.value, key) !== undefined);
  const isJson = JSON_TYPE.test(textOf(stated, 'contentType') ?? '');
  if (!isStyled && !isJson) return field;
  const style = isStyled ? statedStyle(stated, 'query') : 'json';
  // Objects in a list have the style, too.
  const styles = style === 'deep' ? { object_style: style } : stylesOf(style, 'query', field.param);
  return { ...field, param: { ...field.param, ...styles } };
}

function formatOf(types: readonly string[]): readonly [Format, RegExp] {
  return FORMATS.find(([, pattern]) => types.some((type) => pattern.test(type)))!;
}

function bodyOf(
  format: Format,
  type: string,
  schema: SpecNode,
  isRequired: boolean,
  reader: SpecReader,
  shapes: ShapeReader,
  encoding?: SpecNode,
): ReadBody {
  const isConcrete = CONCRETE_TYPE.test(type);
  const isUsual =
    type === 'application/json' || type === 'text/plain' || type === 'application/octet-stream';
  const hasType =
    (format === 'text' || format === 'binary' || format === 'json') && isConcrete && !isUsual;
  const request = { format, ...(hasType ? { content_type: type } : {}) };
  if (format === 'text' || format === 'binary') {
    const shape = format === 'text' ? { type: 'string' as const } : { type: 'file' as const };
    const said = lineOf(textOf(schema, 'description'), DESCRIPTION_LENGTH);
    const description = said ?? `The whole body, ${type.slice(0, 60)}.`;
    const param = { ...shape, description, ...(isRequired ? { required: true } : {}) };
    const pointer = pointerOf(schema);
    return {
      request,
      params: [{ wireName: 'body', preferredName: 'body', place: 'payload', param, pointer }],
    };
  }
  const params =
    schema.value === undefined
      ? [wholeBody({ type: format === 'json' ? 'any' : 'object' }, schema, isRequired)]
      : fieldsOf(schema, isRequired, reader, shapes);
  const isMultipart = format === 'multipart';
  const parts = isMultipart ? params.map((each) => asPart(each, encoding, reader)) : params;
  // Of fields that are all optional, a call may have none. A required body is sent nevertheless.
  const isOpen = parts.every(({ place, param }) => place === 'body' && !param.required);
  return {
    params: parts,
    request: isRequired && isOpen ? { ...request, required: true } : request,
  };
}

/** A field of a multipart form: a file if it is binary, with the media type that the document states. */
function asPart(field: WireParam, encoding: SpecNode | undefined, reader: SpecReader): WireParam {
  const param = withFiles(field.param);
  const said = encoding && textOf(reader.at(encoding, field.wireName), 'contentType');
  if (said === undefined) return { ...field, param };
  const isText = TEXT_TYPE.test(said) || JSON_TYPE.test(said);
  const isPlain = param.type === 'string' || param.type === 'any';
  const type = isPlain && !isText ? ('file' as const) : param.type;
  const isJson = type === 'object' || type === 'array';
  const isStated = CONCRETE_TYPE.test(said) && !(isJson && said === 'application/json');
  const content = isStated ? { content_type: said } : {};
  return { ...field, param: { ...(type === 'file' ? asFile(param) : param), ...content } };
}

/** In a multipart form, binary text is a file. */
function withFiles<S extends ValueShape>(shape: S): S {
  const isBinary = shape.type === 'string' && shape.format === 'binary';
  if (isBinary) return asFile(shape);
  return withParts(shape, withFiles);
}

/** Without the limits of a text. */
function asFile<S extends ValueShape>(shape: S): S {
  const { format: _, max_length: __, min_length: ___, pattern: ____, enum: _____, ...rest } = shape;
  return { ...rest, type: 'file' } as unknown as S;
}

/** In 2.0: one parameter in `body`, or several in `formData`. */
export function readSwaggerBody(
  parameters: readonly SpecNode[],
  consumes: readonly string[],
  reader: SpecReader,
  shapes: ShapeReader,
): ReadBody {
  const body = parameters.find(({ value }) => memberOf(value, 'in') === 'body');
  if (body) {
    const [format, pattern] = consumes.length === 0 ? FORMATS[0]! : formatOf(consumes);
    const type = consumes.find((each) => pattern.test(each)) ?? 'application/json';
    const isRequired = memberOf(body.value, 'required') === true;
    return bodyOf(format, type, reader.at(body, 'schema'), isRequired, reader, shapes);
  }
  const fields = parameters.filter(({ value }) => memberOf(value, 'in') === 'formData');
  if (fields.length === 0) return NONE;
  const hasFile = fields.some(({ value }) => memberOf(value, 'type') === 'file');
  const isMultipart = hasFile || (consumes.length > 0 && formatOf(consumes)[0] === 'multipart');
  const params = fields.flatMap((field) => {
    const name = textOf(field, 'name') ?? '';
    if (!isWireName(name)) return [];
    const required = memberOf(field.value, 'required') === true;
    const isFile = memberOf(field.value, 'type') === 'file';
    if (isFile) return [bodyField(name, { type: 'file' }, field, required)];
    const shape = asText(shapes.read(field), field, reader);
    const read = bodyField(name, shape, field, required);
    const style = collectionStyle(field);
    if (shape.type !== 'array' || style === 'repeat') return [read];
    return [{ ...read, param: { ...read.param, list_style: style } }];
  });
  return { params, request: { format: isMultipart ? 'multipart' : 'form' } };
}

/** Separate fields if they can be named, else the whole body. */
function fieldsOf(
  node: SpecNode,
  isRequired: boolean,
  reader: SpecReader,
  shapes: ShapeReader,
): WireParam[] {
  const schema = reader.resolve(node);
  if (!schema || schema.value === undefined) return [];
  const shape = shapes.read(schema);
  const fields = Object.entries(shape.properties ?? {});
  const isNamed = shape.type === 'object' && fields.length > 0 && !shape.additional_properties;
  if (isNamed && fields.every(([name]) => isWireName(name))) {
    return fields.map(([name, { required = false, ...property }]) => {
      return bodyField(
        name,
        property,
        reader.at(schema, 'properties', name),
        required && isRequired,
      );
    });
  }
  return [wholeBody(shape, schema, isRequired)];
}

function wholeBody(shape: ValueShape, schema: SpecNode, isRequired: boolean): WireParam {
  const description =
    lineOf(textOf(schema, 'description'), DESCRIPTION_LENGTH) ?? 'The whole body.';
  const param = { ...shape, description, ...(isRequired ? { required: true } : {}) };
  return {
    wireName: 'body',
    preferredName: 'body',
    place: 'payload',
    param,
    pointer: pointerOf(schema),
  };
}

/** The default is dropped: sending it would overwrite fields that an update does not mention. */
function bodyField(
  wireName: string,
  shape: PropertyShape,
  node: SpecNode,
  required: boolean,
): WireParam {
  const described = lineOf(textOf(node, 'description'), DESCRIPTION_LENGTH) ?? shape.description;
  const { description: _, ...plain } = shape;
  const param = {
    ...plain,
    ...(described === undefined ? {} : { description: described }),
    ...(required ? { required } : {}),
    ...(shape.format === 'password' ? { sensitive: true } : {}),
  };
  return { wireName, preferredName: wireName, place: 'body', param, pointer: pointerOf(node) };
}

/** For OpenAPI 2.0: the media types of the operation, or else those of the document. */
export function consumesOf(root: SpecNode, operation: SpecNode): string[] {
  const own = wordsAt(operation, 'consumes');
  return own.length > 0 ? own : wordsAt(root, 'consumes');
}
