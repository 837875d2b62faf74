/** An operation and its parameters as an HTTP request. No value leaves the place that it was meant for. */

import type { Operation, Param } from '../adapter/adapter.js';
import type { HttpMethod, Mapping } from '../adapter/maps-to.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { Params } from '../protocol/validate.js';

export interface HttpRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: Map<string, string>;
  readonly body: string | undefined;
}

type HttpMapping = Mapping & { readonly kind: 'http' };

/** Segments that lead elsewhere, also when somebody has encoded them. */
const DOTS = /^(?:\.|%2e){1,2}$/i;
// oxlint-disable-next-line no-control-regex -- exactly what must not be sent
const CONTROL = /[\u0000-\u001f\u007f]/;

export function buildRequest(
  operation: Operation,
  params: Params,
  query: ReadonlyMap<string, string>,
  baseUrl: string,
): HttpRequest {
  const mapping = operation.mapsTo as HttpMapping;
  const url = urlOf(mapping, params, baseUrl);
  const headers = new Map<string, string>();
  const body = new Map<string, unknown>();
  let payload: unknown;
  for (const [name, value] of params) {
    const param = operation.params.get(name)!;
    const wireName = param.as ?? name;
    switch (placeOf(param, mapping)) {
      case 'path':
        break;
      case 'query':
        addToQuery(url, wireName, value, param.list_style);
        break;
      case 'header':
        headers.set(wireName, headerValue(name, value));
        break;
      case 'body':
        body.set(wireName, value);
        break;
      case 'payload':
        payload = value;
    }
  }
  for (const [name, value] of query) url.searchParams.set(name, value);
  const sent = payload ?? (body.size > 0 ? Object.fromEntries(body) : undefined);
  if (sent === undefined) return { method: mapping.method, url, headers, body: undefined };
  const isForm = operation.requestFormat === 'form';
  headers.set('content-type', isForm ? 'application/x-www-form-urlencoded' : 'application/json');
  return {
    method: mapping.method,
    url,
    headers,
    body: isForm ? formOf(sent) : JSON.stringify(sent),
  };
}

function placeOf(param: Param, { method, path }: HttpMapping): NonNullable<Param['in']> {
  if (path.some((part) => part.kind === 'param' && part.name === param.name)) return 'path';
  return param.in ?? (method === 'GET' || method === 'DELETE' ? 'query' : 'body');
}

/** Put behind the base as text: resolving it against the base would lose the base's own path. */
function urlOf({ path }: HttpMapping, params: Params, baseUrl: string): URL {
  const written = path
    .map((part) => (part.kind === 'text' ? part.text : pathValue(part.name, params.get(part.name))))
    .join('');
  const base = baseUrl.replace(/\/+$/, '');
  const wrong = written.split('/').find((segment) => DOTS.test(segment));
  const url = wrong === undefined ? new URL(base + written) : undefined;
  // Whatever the parser made of it must still be what was put together here.
  if (!url || !url.pathname.startsWith(new URL(`${base}/`).pathname)) {
    throw refused('The path leads elsewhere; no part of it may be "." or "..".');
  }
  return url;
}

/** Always encoded, even if it looks encoded already: an address in disguise stays text. */
function pathValue(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.map(String).join(',') : scalar(name, value);
  if (text === '' || CONTROL.test(text)) {
    throw refused(`Parameter '${name}' stands in a path; it must be text that can be seen.`, name);
  }
  return encodeURIComponent(text);
}

function addToQuery(url: URL, name: string, value: unknown, style: Param['list_style']): void {
  if (value === null) return;
  if (!Array.isArray(value)) url.searchParams.append(name, textOf(value));
  else if (style === 'comma') url.searchParams.append(name, value.map(textOf).join(','));
  else for (const element of value) url.searchParams.append(name, textOf(element));
}

function formOf(sent: unknown): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(sent as object)) {
    for (const element of Array.isArray(value) ? (value as unknown[]) : [value]) {
      form.append(name, textOf(element));
    }
  }
  return form.toString();
}

function headerValue(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value);
  if (CONTROL.test(text))
    throw refused(`Parameter '${name}' goes into a header; it must be one line.`, name);
  return text;
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function scalar(name: string, value: unknown): string {
  if (typeof value === 'object' || value === undefined) {
    throw refused(`Parameter '${name}' stands in a path; it must be a single value.`, name);
  }
  return String(value);
}

function refused(message: string, param_name?: string): ProtocolError {
  const details = param_name === undefined ? undefined : { param_name };
  return new ProtocolError('VALIDATION_INVALID_VALUE', message, details);
}
