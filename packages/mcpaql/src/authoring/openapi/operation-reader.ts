/** Converts one operation of an OpenAPI document. If that is not possible, it notes the reason. */

import { memberOf } from '@callsign/core';
import { type Endpoint, judge } from '@callsign/effects';

import type { OperationDocument } from '../../adapter/adapter-document.js';
import type { HttpMethod } from '../../adapter/maps-to.js';
import { requestParams } from '../../adapter/request-params.js';
import type { WrittenOperation } from '../../adapter/review.js';
import type { SnakeNames } from '../imported/snake-names.js';
import { ShapeReader } from '../spec/shape-reader.js';
import { lineOf, pointerOf, type SpecNode, textOf } from '../spec/spec-node.js';
import type { SpecReader } from '../spec/spec-reader.js';
import { consumesOf, type ReadBody, readRequestBody, readSwaggerBody } from './body-reader.js';
import {
  classifyOperation,
  dangerOf,
  type OperationClass,
  statedEndpoint,
} from './classify-operation.js';
import {
  mappedPath,
  type NamedParam,
  nameParams,
  paramsOf,
  withPathParams,
} from './named-params.js';
import { operationName } from './operation-name.js';
import { guessPagination, type PaginationGuess } from './pagination-guess.js';
import { parametersOf, readParameter } from './parameter-reader.js';
import { readResponse, type ReadResponse } from './response-reader.js';

/** An operation in the document. `pathItem` has the parameters that its path shares. */
export interface FoundOperation {
  readonly method: HttpMethod;
  readonly path: string;
  readonly pathItem: SpecNode;
  readonly node: SpecNode;
}

/** An operation of the document in the form of an adapter. */
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

/** The address of an operation, if these parts of the document state another one than the document. */
export type OwnServer = (nodes: readonly SpecNode[]) => string | undefined;

/** `names` gives each operation of the document a unique name. */
export function readOperation(
  found: FoundOperation,
  reader: SpecReader,
  names: SnakeNames,
  ownServer: OwnServer,
): ReadOperation | undefined {
  const exchange = readExchange(found, reader);
  if (!exchange) return undefined;
  const { method, path, pathItem, node } = found;
  const base_url = ownServer([node, pathItem]);
  const id = textOf(node, 'operationId');
  const name = names.take(id, operationName(method, path), `${method} ${path}`);
  const { params, request, response, guess } = exchange;
  const written = paramsOf(params);
  const parameters = requestParams(written);
  const summary = lineOf(textOf(node, 'summary'), READ_LENGTH);
  const described = lineOf(textOf(node, 'description'), READ_LENGTH);
  const judgement = judge({
    name: id ?? '',
    summary,
    description: described,
    parameters,
    http: { method, path },
  });
  const classified = classifyOperation(judgement, method, statedEndpoint(node));
  const reviews = reviewsOf(base_url, classified, exchange.guess);
  for (const review of reviews) {
    reader.findings.note('guess', pointerOf(node), `${name}: ${review}`);
  }
  const { endpoint, because, isGuess } = classified;
  const danger = dangerOf(name, endpoint, judgement);
  const mapped = mappedPath(path, params);
  // The runtime sees only these words, and must come to the same result.
  const shown = [summary, described].flatMap((text) => lineOf(text, DESCRIPTION_LENGTH) ?? []);
  const isProven = endpoint === 'read' && judgement.isProvenRead;
  const isShown = (text: string | undefined): boolean =>
    judge({ name, description: text, parameters, http: { method, path: mapped } }).isProvenRead;
  const proof = isProven ? shown.find(isShown) : undefined;
  const description = proof ?? shown[0];
  // A person must see where else requests, and credentials, go.
  const isHere = base_url === undefined;
  const isCallable = isProven && isHere && (proof !== undefined || isShown(description));
  const document: WrittenOperation = {
    name,
    maps_to: `${method} ${mapped}`,
    ...(isHere ? {} : { base_url }),
    ...(description === undefined ? {} : { description }),
    ...(params.length === 0 ? {} : { params: written }),
    ...(request && isUnusual(request) ? { request } : {}),
    ...responseOf(response.type, response.format),
    ...(guess ? { pagination: guess.pagination } : {}),
    ...(endpoint === 'read' ? examplesOf(params) : {}),
    ...(danger === undefined ? {} : { danger_level: danger }),
    ...(memberOf(node.value, 'deprecated') === true
      ? { deprecated: 'The API marks it as deprecated.' }
      : {}),
    ...(reviews.length === 0 ? {} : { review: reviews.join(' ') }),
    ...(isCallable ? {} : { reviewed: false as const }),
  };
  return { document, endpoint, because, isGuess, type: namedType(response) };
}

/** What an operation sends and what it answers. */
interface Exchange {
  readonly params: readonly NamedParam[];
  /** `undefined`: it sends no body. */
  readonly request: ReadBody['request'] | undefined;
  readonly response: ReadResponse;
  readonly guess: PaginationGuess | undefined;
}

/** `undefined`: it cannot be sent, and the reason is noted. */
function readExchange(found: FoundOperation, reader: SpecReader): Exchange | undefined {
  const { method, path, pathItem, node } = found;
  const pointer = pointerOf(node);
  const shown = `${method} ${path.slice(0, 200)}`;
  const note = (text: string): void => reader.findings.note('left-out', pointer, text);
  if (!isPath(path)) {
    note(`${shown} was left out: its path cannot be sent.`);
    return undefined;
  }
  const shapes = new ShapeReader(reader);
  const parameters = parametersOf(reader, pathItem, node);
  const body = readBody(parameters, node, reader, shapes);
  const response = readResponse(node, reader);
  const isGet = method === 'GET';
  if (isGet && body.params.some(({ param }) => param.required)) {
    note(`${shown} was left out: GET has no body, and it needs one.`);
    return undefined;
  }
  const own = parameters.filter(({ value }) => !isBodyPlace(memberOf(value, 'in')));
  const read = own.flatMap((each) => readParameter(each, reader, shapes));
  const hasBody = body.params.length > 0;
  if (isGet && hasBody) note(`${shown} was imported without its body: GET has none.`);
  const all = [...withPathParams(read, path, pointer), ...(isGet ? [] : body.params)];
  const guess = isGet ? guessPagination(all, response, reader) : undefined;
  const params = all.filter(
    ({ wireName, place }) => place !== 'query' || !guess?.replaced.has(wireName),
  );
  const request = hasBody && !isGet ? body.request : undefined;
  return { params: nameParams(params, method), request, response, guess };
}

/** What a person should check. */
function reviewsOf(
  baseUrl: string | undefined,
  { endpoint, because, isGuess }: OperationClass,
  guess: PaginationGuess | undefined,
): string[] {
  return [
    ...(baseUrl === undefined ? [] : [`It is sent to another address: ${baseUrl}.`]),
    ...(isGuess ? [`Classified as ${endpoint}, by ${because}. Move it if that is wrong.`] : []),
    ...(guess ? [`Paging was guessed (${guess.pagination.style}); check it.`] : []),
  ];
}

function namedType({ type, schema }: ReadResponse): ReadOperation['type'] {
  return type !== undefined && schema ? { name: type, schema } : undefined;
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

/** One call with the values of the document, if it has one for each required parameter. */
function examplesOf(params: readonly NamedParam[]): Partial<OperationDocument> {
  const required = params.filter(({ param }) => param.required);
  const values = required.map(({ name, wire, param }): [string, unknown] => {
    return [name, wire.example ?? param.enum?.[0]];
  });
  const isWhole = values.length > 0 && values.every(([, value]) => value !== undefined);
  return isWhole ? { examples: [{ params: Object.fromEntries(values) }] } : {};
}

/** Plain JSON is the default and is not written. */
function isUnusual({ format, content_type, required }: ReadBody['request']): boolean {
  return format !== 'json' || content_type !== undefined || required === true;
}

function isBodyPlace(place: unknown): boolean {
  return place === 'body' || place === 'formData';
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

/** Starts at the root, stays below it, and has matching braces. */
function isPath(path: string): boolean {
  const isWhole = path.length <= 2000 && /^\/[^{}]*(?:\{[^{}\s]+\}[^{}]*)*$/.test(path);
  return isWhole && !path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
