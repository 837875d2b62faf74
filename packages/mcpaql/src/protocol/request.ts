/**
 * Parses a call of one of the five tools. Parameters stay JSON text, because a view only passes
 * them on.
 */

import { elementsOf, membersOf, type Range } from '@callsign/core';

import { checkValue, MAX_BATCH } from './limits.js';
import { ProtocolError } from './protocol-error.js';
import type { Params } from './validate.js';

export interface OperationRequest {
  readonly operation: string;
  /** An object as JSON text. */
  readonly params: string;
}

export type Request =
  | { readonly kind: 'single'; readonly item: OperationRequest }
  | { readonly kind: 'batch'; readonly items: readonly OperationRequest[] };

/** Members of the protocol. All other members count as parameters. */
const PROTOCOL_MEMBERS = ['operation', 'params', 'operations', '_meta'];

const EXAMPLE = '{"operation": "introspect", "params": {"query": "operations"}}';

/** Reads the `arguments` of a call, as JSON text. */
export function parseRequest(text: string): Request {
  const members = membersOf(text);
  const batch = members?.get('operations');
  if (!batch) return { kind: 'single', item: itemOf(text, members) };
  if (members?.has('operation')) throw invalid("Send 'operation' or 'operations', not both.");
  const elements = elementsOf(text.slice(batch.start, batch.end));
  if (!elements || elements.length === 0 || elements.length > MAX_BATCH) {
    throw invalid(`'operations' must be a list of 1 to ${MAX_BATCH} operations.`);
  }
  return { kind: 'batch', items: elements.map((element) => itemOf(element, membersOf(element))) };
}

/** Parses a parameter object, within the limits of the protocol. */
export function readParams(text: string): Params {
  const value = JSON.parse(text) as object;
  checkValue(value);
  return new Map(Object.entries(value));
}

function itemOf(text: string, members: ReadonlyMap<string, Range> | undefined): OperationRequest {
  const range = members?.get('operation');
  const operation: unknown = range && JSON.parse(text.slice(range.start, range.end));
  if (!members || typeof operation !== 'string' || operation === '') {
    const message = `Parameter 'operation' (string) is missing: the name of an operation. Send ${EXAMPLE} to see them.`;
    throw new ProtocolError('VALIDATION_MISSING_PARAM', message, { param_name: 'operation' });
  }
  const written = members.get('params');
  const params = written ? text.slice(written.start, written.end) : '{}';
  if (params !== 'null' && !params.startsWith('{')) throw invalid("'params' must be an object.");
  const beside = Array.from(members).filter(([key]) => !PROTOCOL_MEMBERS.includes(key));
  if (beside.length === 0) return { operation, params: params === 'null' ? '{}' : params };
  // Members of `params` come last, so that they take precedence.
  const inside = params === 'null' ? '' : params.slice(1, -1).trim();
  const outside = beside.map(
    ([key, { start, end }]) => `${JSON.stringify(key)}:${text.slice(start, end)}`,
  );
  return { operation, params: `{${[...outside, ...(inside ? [inside] : [])].join(',')}}` };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError('VALIDATION_INVALID_TYPE', `${message} For example: ${EXAMPLE}`);
}
