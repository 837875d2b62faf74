/** Reads the answer of an operation: its format, its type and its schema. */

import { isObject, memberOf } from '@callsign/core';

import { childOf, type SpecNode, wordsAt } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';

/**
 * The first successful response. `hasLink`: it has a header `Link`, which may lead to more pages.
 */
export interface ReadResponse {
  readonly format: 'json' | 'text' | 'binary';
  /** Its schema, with references resolved. */
  readonly schema: SpecNode | undefined;
  /** The name of the type, or of the type of its elements. */
  readonly type: string | undefined;
  readonly hasLink: boolean;
}

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)|^\*\/\*/i;
const TEXT_TYPE = /^text\/|^application\/(?:[\w.+-]+\+)?(?:xml|yaml)\s*(?:;|$)/i;

export function readResponse(operation: SpecNode, reader: SpecReader): ReadResponse {
  const answers = reader.entries(reader.at(operation, 'responses'));
  const [, success] =
    answers.find(([status]) => /^2(?:\d\d|XX)$/i.test(status)) ??
    answers.find(([status]) => status === 'default') ??
    [];
  if (!success) return { format: 'json', schema: undefined, type: undefined, hasLink: false };
  const headers = memberOf(success.value, 'headers');
  const hasLink =
    isObject(headers) && Object.keys(headers).some((name) => name.toLowerCase() === 'link');
  const contents = reader.entries(reader.at(success, 'content'));
  const types =
    contents.length > 0 ? contents.map(([type]) => type) : producesOf(reader.root, operation);
  const isJson = types.length === 0 || types.some((type) => JSON_TYPE.test(type));
  const isText = types.some((type) => TEXT_TYPE.test(type));
  const [, json] = contents.find(([type]) => JSON_TYPE.test(type)) ?? [];
  const holder = json ?? (contents.length === 0 ? success : undefined);
  const raw = holder && childOf(holder, 'schema');
  const schema = raw && reader.resolve(raw);
  const isThere = isJson && isObject(schema?.value);
  return {
    format: isJson ? 'json' : isText ? 'text' : 'binary',
    schema: isThere ? schema : undefined,
    type: isThere ? (typeName(raw!) ?? typeName(childOf(schema!, 'items'))) : undefined,
    hasLink,
  };
}

/** The name at the end of a reference: `#/components/schemas/Ship` → `Ship`. */
function typeName({ value }: SpecNode): string | undefined {
  const reference = memberOf(value, '$ref');
  if (typeof reference !== 'string') return undefined;
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const isName = /^[A-Za-z][\w.-]{0,79}$/.test(name) && !/^(?:constructor|prototype)$/.test(name);
  return isName ? name : undefined;
}

function producesOf(root: SpecNode, operation: SpecNode): string[] {
  const own = wordsAt(operation, 'produces');
  return own.length > 0 ? own : wordsAt(root, 'produces');
}
