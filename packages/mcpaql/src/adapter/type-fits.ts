/** Checks whether a value has the type of its parameter. Constraints are checked elsewhere. */

import { isObject } from '@callsign/core';

import type { ParamType } from './adapter-document.js';
import { isLargeInteger } from './large-integer.js';

export interface TypedShape {
  readonly type: ParamType;
  readonly nullable?: boolean;
  readonly one_of?: readonly TypedShape[];
}

/** A union fits if one of its forms does. `null` fits only where it is allowed. Everything fits `any`. */
export function typeFits(
  value: unknown,
  { type, nullable = false, one_of = [] }: TypedShape,
): boolean {
  if (type === 'any') return true;
  if (value === null) return nullable;
  switch (type) {
    case 'file':
      return isFile(value);
    case 'union':
      return one_of.some((form) => typeFits(value, form));
    case 'integer':
      return Number.isInteger(value) || isLargeInteger(value);
    case 'number':
      return (typeof value === 'number' && Number.isFinite(value)) || isLargeInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** `{ "base64": "…" }` or `{ "path": "…" }`, with an optional `name` and `type`. */
function isFile(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { path, base64, name, type, ...others } = value;
  const texts = [path, base64, name, type].filter((each) => each !== undefined);
  const isOne = (path === undefined) !== (base64 === undefined);
  return (
    isOne && texts.every((each) => typeof each === 'string') && Object.keys(others).length === 0
  );
}
