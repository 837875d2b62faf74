/**
 * Checks parameters in the order of the protocol: required, type, unknown, constraints, defaults.
 */

import type { Param } from '../adapter/adapter.js';
import { checkConstraints, checkType } from './check-value.js';
import { ProtocolError } from './protocol-error.js';

export type Params = ReadonlyMap<string, unknown>;

export interface Accepted {
  readonly operation: string;
  readonly params: ReadonlyMap<string, Param>;
}

/**
 * Returns the parameters with defaults. Names that start with an underscore belong to the protocol.
 */
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

/** Models send null for a missing value. Only nullable parameters keep it. */
function isGiven(given: Params, { name, nullable }: Param): boolean {
  const value = given.get(name);
  return value !== undefined && (value !== null || nullable === true);
}

/** Unknown names. Those that start with an underscore belong to the protocol. */
function strangers(given: Params, params: Accepted['params']): string[] {
  return [...given.keys()].filter((name) => !params.has(name) && !name.startsWith('_'));
}

/** An unknown parameter is usually a missing one under a wrong name. */
function missing(
  { name, type, description }: Param,
  operation: string,
  unknown_params: readonly string[],
): ProtocolError {
  const meaning = description === undefined ? '.' : `: ${description}`;
  const strays = unknown_params.map((each) => `'${each.slice(0, 64)}'`).join(', ');
  const stray = strays === '' ? '' : ` Not a parameter: ${strays}.`;
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
