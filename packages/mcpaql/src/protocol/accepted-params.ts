/**
 * Lists all parameters of an operation: its own and those of the protocol. Checks and introspection
 * use it.
 */

import type { Operation, Param } from '../adapter/adapter.js';
import { FIELDS_PARAM } from './fields.js';
import { pagingParams } from './paging.js';

/** An operation's own parameter takes precedence over one of the protocol. */
export function acceptedParams(operation: Operation): ReadonlyMap<string, Param> {
  const implied = [
    ...(operation.pagination ? pagingParams(operation.pagination) : []),
    ...(operation.supportsFields ? [FIELDS_PARAM] : []),
  ];
  const added = implied.filter(({ name }) => !operation.params.has(name));
  return new Map([...operation.params, ...added.map((param) => [param.name, param] as const)]);
}
