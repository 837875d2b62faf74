/** Builds the HTTP request of an operation. A value can never reach another part of the request. */

import type { Operation, Param } from '../adapter/adapter.js';
import type { HttpMethod, Mapping } from '../adapter/maps-to.js';
import { cookiesOf, formText, pairsOf, pathText, singleText } from './param-text.js';
import { type BodyPart, type RequestBody, writeBody } from './request-body.js';
import type { UploadFolders } from './upload-file.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { Params } from '../protocol/validate.js';

export interface HttpRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: Map<string, string>;
  readonly body: RequestBody['body'];
}

type HttpMapping = Mapping & { readonly kind: 'http' };

/** Segments that change the path, even when encoded. */
const DOTS = /^(?:\.|%2e){1,2}$/i;
// oxlint-disable-next-line no-control-regex -- exactly what must not be sent
const CONTROL = /[\u0000-\u001f\u007f]/;
/** Half of a character, which has no bytes. */
const HALF = /\p{Surrogate}/u;
/** Headers are sent as Latin-1. */
const NOT_LATIN = /[\u0100-\uffff]/;

/** The other parts of a request. */
export interface RequestContext extends UploadFolders {
  readonly baseUrl: string;
  /** Parameters of the target itself, for example for paging. */
  readonly query: ReadonlyMap<string, string>;
}

export async function buildRequest(
  operation: Operation,
  params: Params,
  context: RequestContext,
): Promise<HttpRequest> {
  const mapping = operation.mapsTo as HttpMapping;
  const url = urlOf(mapping, operation.params, params, context.baseUrl);
  const headers = new Map<string, string>();
  const query: string[] = [];
  const cookies: string[] = [];
  const parts: BodyPart[] = [];
  let payload: BodyPart | undefined;
  for (const [name, value] of params) {
    const param = operation.params.get(name)!;
    const wireName = param.as ?? name;
    switch (placeOf(param, mapping)) {
      case 'path':
        break;
      case 'query':
        query.push(...pairsOf(wireName, value, param));
        break;
      case 'header':
        headers.set(wireName, headerValue(name, value, param));
        break;
      case 'cookie':
        cookies.push(...cookiePairs(wireName, value, param));
        break;
      case 'body':
        parts.push({ wireName, value, param });
        break;
      case 'payload':
        payload = { wireName, value, param };
    }
  }
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
  // A path may have a query of its own: `/api?action=list`.
  url.search = [url.search.slice(1), ...query].filter((pair) => pair !== '').join('&');
  setQuery(url, context.query);
  const { body, contentType } = await writeBody(operation, payload, parts, context);
  if (contentType !== undefined) headers.set('content-type', contentType);
  return { method: mapping.method, url, headers, body };
}

/** Replaces parameters of the query. `searchParams` would encode the separators of lists again. */
export function setQuery(url: URL, values: ReadonlyMap<string, string>): void {
  if (values.size === 0) return;
  const others = url.search
    .slice(1)
    .split('&')
    .filter(
      (pair) =>
        pair !== '' && ![...new URLSearchParams(pair).keys()].some((name) => values.has(name)),
    );
  const own = Array.from(values, ([name, value]) => `${formText(name)}=${formText(value)}`);
  url.search = [...others, ...own].join('&');
}

function placeOf(param: Param, { method, path }: HttpMapping): NonNullable<Param['in']> {
  if (path.some((part) => part.kind === 'param' && part.name === param.name)) return 'path';
  return param.in ?? (method === 'GET' || method === 'DELETE' ? 'query' : 'body');
}

/** Appends the path to the base as text: `new URL(path, base)` would lose the path of the base. */
function urlOf(
  { path }: HttpMapping,
  declared: Operation['params'],
  params: Params,
  baseUrl: string,
): URL {
  const written = path
    .map((part) =>
      part.kind === 'text'
        ? part.text
        : pathValue(part.name, params.get(part.name), declared.get(part.name)),
    )
    .join('');
  const base = baseUrl.replace(/\/+$/, '');
  const wrong = written.split('/').find((segment) => DOTS.test(segment));
  const url = wrong === undefined ? new URL(base + written) : undefined;
  // The parsed path must still be the path that was built here.
  if (!url || !url.pathname.startsWith(new URL(`${base}/`).pathname)) {
    throw refused('The path would leave the API; no part of it may be "." or "..".');
  }
  return url;
}

/** Always encodes, even if the value looks encoded, so that it cannot become another path. */
function pathValue(name: string, value: unknown, param: Partial<Param> = {}): string {
  const text = value === undefined || value === null ? '' : singleText(value, param);
  if (text === '' || CONTROL.test(text) || HALF.test(text)) {
    throw refused(`Parameter '${name}' goes into a path; it must be visible text.`, name);
  }
  return pathText(param.as ?? name, value, param);
}

function headerValue(name: string, value: unknown, param: Param): string {
  const text = singleText(value, param);
  if (CONTROL.test(text))
    throw refused(`Parameter '${name}' goes into a header; it must be one line.`, name);
  if (NOT_LATIN.test(text)) {
    throw refused(`Parameter '${name}' goes into a header; it must be Latin-1 text.`, name);
  }
  return text;
}

function cookiePairs(wireName: string, value: unknown, param: Param): string[] {
  const { name } = param;
  if (HALF.test(singleText(value, param))) {
    throw refused(`Parameter '${name}' goes into a cookie; it must be valid text.`, name);
  }
  return cookiesOf(wireName, value, param);
}

function refused(message: string, param_name?: string): ProtocolError {
  const details = param_name === undefined ? undefined : { param_name };
  return new ProtocolError('VALIDATION_INVALID_VALUE', message, details);
}
