/** The body of an operation as parameters: one for each field, or one for the whole. */

import type { PropertyShape } from '@callsign/mcpaql';

import { lineOf, memberOf, pointerOf, type SpecNode, textOf, wordsAt } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';
import type { ShapeReader } from '../spec/shape-reader.js';
import { isWireName, type WireParam } from './parameter-reader.js';

export type ReadBody =
  | {
      readonly ok: true;
      readonly params: readonly WireParam[];
      readonly format: 'json' | 'form';
    }
  /** Why the operation cannot be carried. */
  | { readonly ok: false; readonly reason: string };

const NONE: ReadBody = { ok: true, params: [], format: 'json' };
const JSON_TYPE = /^(?:application\/(?:[\w.+-]+\+)?json|\*\/\*)\s*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const DESCRIPTION_LENGTH = 200;

/** Since 3.0: a body with a schema for each media type. */
export function readRequestBody(body: SpecNode, reader: SpecReader, shapes: ShapeReader): ReadBody {
  const contents = reader.entries(reader.at(body, 'content'));
  if (contents.length === 0) return NONE;
  const said = memberOf(body.value, 'required');
  const json = contents.find(([type]) => JSON_TYPE.test(type));
  const form = contents.find(([type]) => FORM_TYPE.test(type));
  const [, content] = json ?? form ?? [];
  if (!content) {
    const types = contents.map(([type]) => type.slice(0, 60)).join(', ');
    return { ok: false, reason: `its body is ${types}, and only JSON and forms can be sent` };
  }
  const schema = reader.at(content, 'schema');
  // Many authors leave `required` out, and mean the fields that the schema requires.
  const isRequired =
    said === true || (said === undefined && wordsAt(schema, 'required').length > 0);
  const params = fieldsOf(schema, isRequired, reader, shapes);
  return { ok: true, params, format: json ? 'json' : 'form' };
}

/** In 2.0: a parameter in `body`, or several in `formData`. */
export function readSwaggerBody(
  parameters: readonly SpecNode[],
  consumes: readonly string[],
  reader: SpecReader,
  shapes: ShapeReader,
): ReadBody {
  const body = parameters.find(({ value }) => memberOf(value, 'in') === 'body');
  if (body) {
    const isJson = consumes.length === 0 || consumes.some((type) => JSON_TYPE.test(type));
    if (!isJson) return { ok: false, reason: `its body is ${consumes[0]!.slice(0, 60)}` };
    const isRequired = memberOf(body.value, 'required') === true;
    const params = fieldsOf(reader.at(body, 'schema'), isRequired, reader, shapes);
    return { ok: true, params, format: 'json' };
  }
  const fields = parameters.filter(({ value }) => memberOf(value, 'in') === 'formData');
  if (fields.length === 0) return NONE;
  if (fields.some(({ value }) => memberOf(value, 'type') === 'file')) {
    return { ok: false, reason: 'it uploads a file' };
  }
  const params = fields.flatMap((field) => {
    const name = textOf(field, 'name') ?? '';
    if (!isWireName(name)) return [];
    const required = memberOf(field.value, 'required') === true;
    return [bodyField(name, shapes.read(field), field, required)];
  });
  return { ok: true, params, format: 'form' };
}

/** Fields one by one where there are any that can be named; the whole otherwise. */
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
  const description =
    lineOf(textOf(schema, 'description'), DESCRIPTION_LENGTH) ?? 'The whole body.';
  const param = { ...shape, description, ...(isRequired ? { required: true } : {}) };
  return [{ wireName: 'body', wish: 'body', place: 'payload', param, pointer: pointerOf(schema) }];
}

/** Without its default, which is the target's to fill in: sent by us it would overwrite what an update leaves alone. */
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
  return { wireName, wish: wireName, place: 'body', param, pointer: pointerOf(node) };
}

export function consumesOf(root: SpecNode, operation: SpecNode): string[] {
  const own = wordsAt(operation, 'consumes');
  return own.length > 0 ? own : wordsAt(root, 'consumes');
}
