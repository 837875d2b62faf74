/** Parameters of one operation, in the order of the protocol: required, type, unknown, constraints, defaults. */

import type { Param } from '../adapter/adapter.js';
import { checkConstraints, checkType } from './check-value.js';
import { ProtocolError } from './protocol-error.js';

export type Params = ReadonlyMap<string, unknown>;

export interface Accepted {
  readonly operation: string;
  readonly params: ReadonlyMap<string, Param>;
}

/** The parameters with their defaults; members that start with an underscore are the protocol's. */
export function validateParams(given: Params, { operation, params }: Accepted): Params {
  for (const param of params.values()) {
    if (!param.required || isGiven(given, param)) continue;
    throw missing(param, operation, strangers(given, params));
  }
  for (const [name, value] of given) {
    const param = params.get(name);
    if (param && isGiven(given, param)) checkType(value, param, name);
  }
  const unknown_params = strangers(given, params);
  if (unknown_params.length > 0) throw unknown(unknown_params, operation, [...params.keys()]);
  for (const [name, value] of given) {
    const param = params.get(name);
    if (param && isGiven(given, param)) checkConstraints(value, param, name);
  }
  const values = new Map<string, unknown>();
  for (const [name, param] of params) {
    const value = isGiven(given, param) ? given.get(name) : param.default;
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** A model writes null where it means nothing; only who may be null takes it at its word. */
function isGiven(given: Params, { name, nullable }: Param): boolean {
  const value = given.get(name);
  return value !== undefined && (value !== null || nullable === true);
}

/** Names that the operation does not know; those with an underscore in front are the protocol's. */
function strangers(given: Params, params: Accepted['params']): string[] {
  return [...given.keys()].filter((name) => !params.has(name) && !name.startsWith('_'));
}

/** A parameter under a wrong name is mostly the one that is missing. */
function missing(
  { name, type, description }: Param,
  operation: string,
  unknown_params: readonly string[],
): ProtocolError {
  const meaning = description === undefined ? '.' : `: ${description}`;
  const strays = unknown_params.map((each) => `'${each.slice(0, 64)}'`).join(', ');
  const stray = strays === '' ? '' : ` It does not know ${strays}.`;
  const message = `Parameter '${name}' (${type}) of '${operation}' is missing${meaning}${stray}`;
  const details = {
    param_name: name,
    operation,
    ...(unknown_params.length === 0 ? {} : { unknown_params }),
  };
  return new ProtocolError('VALIDATION_MISSING_PARAM', message, details);
}

function unknown(
  unknown_params: readonly string[],
  operation: string,
  valid_params: readonly string[],
): ProtocolError {
  const words = unknown_params.map((name) => `'${name.slice(0, 64)}'`).join(', ');
  const known =
    valid_params.length === 0 ? 'It takes none.' : `It takes ${valid_params.join(', ')}.`;
  const message = `Unknown parameter of '${operation}': ${words}. ${known}`;
  return new ProtocolError('VALIDATION_UNKNOWN_PARAM', message, {
    operation,
    unknown_params,
    valid_params,
  });
}
