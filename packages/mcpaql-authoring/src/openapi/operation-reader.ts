/** Converts one operation of an OpenAPI document. If that is not possible, it notes the reason. */

import type { Endpoint } from '@callsign/annotations';
import { memberOf } from '@callsign/core';
import {
  type HttpMethod,
  type OperationDocument,
  type ParamDocument,
  provablyReads,
  type WrittenOperation,
} from '@callsign/mcpaql';

import { consumesOf, type ReadBody, readRequestBody, readSwaggerBody } from './body-reader.js';
import { classifyOperation, dangerOf } from './classify-operation.js';
import { operationName } from './operation-name.js';
import { guessPagination } from './pagination-guess.js';
import { parametersOf, readParameter, type WireParam } from './parameter-reader.js';
import { readResponse } from './response-reader.js';
import { statedEndpoint } from './stated-endpoint.js';
import { ShapeReader } from '../spec/shape-reader.js';
import { SnakeNames } from '../imported/snake-names.js';
import { lineOf, pointerOf, type SpecNode, textOf } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';

/** An operation in the document. `pathItem` has the parameters that its path shares. */
export interface FoundOperation {
  readonly method: HttpMethod;
  readonly path: string;
  readonly pathItem: SpecNode;
  readonly node: SpecNode;
}

/** The same operation in the form of an adapter. */
export interface ReadOperation {
  readonly document: WrittenOperation;
  readonly endpoint: Endpoint;
  readonly because: string;
  readonly isGuess: boolean;
  /** The schema of its answer, if it has a name. */
  readonly type: { readonly name: string; readonly schema: SpecNode } | undefined;
}

const DESCRIPTION_LENGTH = 300;
/** The length of a description that is read for classification. */
const READ_LENGTH = 2000;

/** `names` gives each operation of the document a unique name. */
export function readOperation(
  found: FoundOperation,
  reader: SpecReader,
  names: SnakeNames,
): ReadOperation | undefined {
  const { method, path, pathItem, node } = found;
  const pointer = pointerOf(node);
  const leftOut = (why: string): undefined => {
    reader.findings.note(
      'left-out',
      pointer,
      `${method} ${path.slice(0, 200)} was left out: ${why}.`,
    );
  };
  if (!isPath(path)) return leftOut('its path cannot be sent');
  const shapes = new ShapeReader(reader);
  const parameters = parametersOf(reader, pathItem, node);
  const body = readBody(parameters, node, reader, shapes);
  const response = readResponse(node, reader);
  if (method === 'GET' && body.params.some(({ param }) => param.required)) {
    return leftOut('GET has no body, and it needs one');
  }
  const own = parameters.filter(({ value }) => !isBodyPlace(memberOf(value, 'in')));
  const read = own.flatMap((each) => readParameter(each, reader, shapes));
  const all = [...withPathParams(read, path, pointer), ...(method === 'GET' ? [] : body.params)];
  const hasBody = method !== 'GET' && body.params.length > 0;
  if (method === 'GET' && body.params.length > 0) {
    reader.findings.note(
      'left-out',
      pointer,
      `GET ${path.slice(0, 200)} was imported without its body: GET has none.`,
    );
  }
  const guess = method === 'GET' ? guessPagination(all, response, reader) : undefined;
  const params = all.filter(
    ({ wireName, place }) => place !== 'query' || !guess?.replaced.has(wireName),
  );

  const id = textOf(node, 'operationId');
  const name = names.take(id, operationName(method, path), `${method} ${path}`);
  const texts = [textOf(node, 'summary'), textOf(node, 'description')];
  const descriptions = texts.flatMap((each) => lineOf(each, READ_LENGTH) ?? []);
  const stated = statedEndpoint(node);
  const classified = classifyOperation({ method, path, id, descriptions, stated });
  const danger = dangerOf(name, classified);
  const hasOwnServer = [node, pathItem].some(
    (each) => reader.elements(reader.at(each, 'servers')).length > 0,
  );
  const reviews = [
    ...(hasOwnServer
      ? ['The document names another server for it; it is sent to target.base_url.']
      : []),
    ...(classified.isGuess
      ? [
          `Classified as ${classified.endpoint}, by ${classified.because}. Move it if that is wrong.`,
        ]
      : []),
    ...(guess ? [`Paging was guessed (${guess.pagination.style}); check it.`] : []),
  ];
  for (const review of reviews) reader.findings.note('guess', pointer, `${name}: ${review}`);
  const named = nameParams(params, method);
  const written = paramsOf(named);
  const description = lineOf(descriptions[0], DESCRIPTION_LENGTH);
  const isRead =
    classified.endpoint === 'read' &&
    provablyReads({ name: id ?? name, http: { method, path }, descriptions }, written) &&
    // The runtime sees only these words, and must come to the same result.
    provablyReads(
      { name, http: { method, path }, descriptions: descriptions.slice(0, 1) },
      written,
    );
  const document: WrittenOperation = {
    name,
    maps_to: `${method} ${mappedPath(path, named)}`,
    ...(description === undefined ? {} : { description }),
    ...(named.length === 0 ? {} : { params: written }),
    ...(hasBody && isUnusual(body.request) ? { request: body.request } : {}),
    ...responseOf(response.type, response.format),
    ...(guess ? { pagination: guess.pagination } : {}),
    ...(danger === undefined ? {} : { danger_level: danger }),
    ...(memberOf(node.value, 'deprecated') === true
      ? { deprecated: 'The API marks it as deprecated.' }
      : {}),
    ...(reviews.length === 0 ? {} : { review: reviews.join(' ') }),
    ...(isRead ? {} : { reviewed: false as const }),
  };
  const { endpoint, because, isGuess } = classified;
  const type =
    response.type !== undefined && response.schema
      ? { name: response.type, schema: response.schema }
      : undefined;
  return { document, endpoint, because, isGuess, type };
}

function readBody(
  parameters: readonly SpecNode[],
  node: SpecNode,
  reader: SpecReader,
  shapes: ShapeReader,
): ReadBody {
  const body = reader.at(node, 'requestBody');
  if (body.value !== undefined) return readRequestBody(body, reader, shapes);
  return readSwaggerBody(parameters, consumesOf(reader.root, node), reader, shapes);
}

/** Plain JSON is the default and is not written. */
function isUnusual({ format, content_type }: ReadBody['request']): boolean {
  return format !== 'json' || content_type !== undefined;
}

function isBodyPlace(place: unknown): boolean {
  return place === 'body' || place === 'formData';
}

/** A path parameter that is not declared is text. A declared one that is not in the path is omitted. */
function withPathParams(params: readonly WireParam[], path: string, pointer: string): WireParam[] {
  const inPath = placeholders(path);
  const kept = params.filter(({ place, wireName }) => place !== 'path' || inPath.has(wireName));
  const known = new Set(kept.flatMap(({ place, wireName }) => (place === 'path' ? wireName : [])));
  const forgotten = [...inPath].filter((name) => !known.has(name));
  const added = forgotten.map((wireName): WireParam => ({
    wireName,
    wish: wireName,
    place: 'path',
    param: { type: 'string', required: true },
    pointer,
  }));
  return [...added, ...kept];
}

interface NamedParam {
  readonly name: string;
  readonly wire: WireParam;
  readonly param: ParamDocument;
}

/**
 * Makes names unique within the operation. Place and target name are written only if not the
 * default.
 */
function nameParams(params: readonly WireParam[], method: HttpMethod): NamedParam[] {
  const names = new SnakeNames();
  const usual = method === 'GET' || method === 'DELETE' ? 'query' : 'body';
  return params.map((wire) => {
    const { wireName, place, wish, param } = wire;
    const name = names.take(wish, `${wish}_${place}`, `${place}_${wish}`);
    return {
      name,
      wire,
      param: {
        ...param,
        ...(place === 'path' || place === usual ? {} : { in: place }),
        ...(place === 'path' || place === 'payload' || wireName === name ? {} : { as: wireName }),
      },
    };
  });
}

function paramsOf(named: readonly NamedParam[]): OperationDocument['params'] {
  return Object.fromEntries(named.map(({ name, param }) => [name, param]));
}

function responseOf(
  type: string | undefined,
  format: 'json' | 'text' | 'binary',
): Partial<OperationDocument> {
  if (type === undefined && format === 'json') return {};
  return {
    response: {
      ...(type === undefined ? {} : { type }),
      ...(format === 'json' ? {} : { format }),
    },
  };
}

/** The path with our names. White space is encoded. */
function mappedPath(path: string, params: readonly NamedParam[]): string {
  const names = new Map(
    params.flatMap(({ wire, name }) => (wire.place === 'path' ? [[wire.wireName, name]] : [])),
  );
  // A fragment only distinguishes paths. It is never sent.
  const [sent = ''] = path.split('#', 1);
  return sent.replace(/\{([^{}]*)\}|\s/g, (whole, name: string | undefined) =>
    name === undefined ? encodeURIComponent(whole) : `{${names.get(name) ?? name}}`,
  );
}

function placeholders(path: string): Set<string> {
  return new Set(Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name]) => name!));
}

/** Starts at the root, stays below it, and has matching braces. */
function isPath(path: string): boolean {
  const isWhole = path.length <= 2000 && /^\/[^{}]*(?:\{[^{}\s]+\}[^{}]*)*$/.test(path);
  return isWhole && !path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
