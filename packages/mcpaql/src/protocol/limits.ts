/** Limits of requests and answers, and forbidden keys. */

import { ProtocolError } from './protocol-error.js';

/** As announced in `_protocol.limits`. */
export const LIMITS = {
  max_request_size: 1_048_576,
  max_response_size: 10_485_760,
  max_string_length: 1_048_576,
  max_array_elements: 10_000,
  max_nesting_depth: 32,
} as const;

/** The most operations in one batch. */
export const MAX_BATCH = 50;

/** Keys with a special meaning in JavaScript or other languages. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function checkSize(text: string): void {
  const size = Buffer.byteLength(text);
  if (size > LIMITS.max_request_size) {
    throw tooLarge('request_size', LIMITS.max_request_size, size, 'bytes');
  }
}

/** Walks a value without recursion: the sender decides how deep it is nested. */
export function checkValue(root: unknown): void {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string' && value.length > LIMITS.max_string_length) {
      throw tooLarge('string_length', LIMITS.max_string_length, value.length, 'characters');
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth > LIMITS.max_nesting_depth) {
      throw tooLarge('nesting_depth', LIMITS.max_nesting_depth, depth, 'levels');
    }
    if (Array.isArray(value) && value.length > LIMITS.max_array_elements) {
      throw tooLarge('array_elements', LIMITS.max_array_elements, value.length, 'elements');
    }
    for (const key of Object.keys(value)) {
      if (RESERVED.has(key)) {
        const message = `The key '${key}' is not allowed; choose another name.`;
        throw new ProtocolError('VALIDATION_INVALID_VALUE', message, { key });
      }
      open.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 });
    }
  }
}

export function tooLarge(
  limit_type: string,
  limit_value: number,
  actual_value: number,
  unit: string,
): ProtocolError {
  return new ProtocolError(
    'VALIDATION_PAYLOAD_TOO_LARGE',
    `Too large: ${actual_value} ${unit}, at most ${limit_value} (${limit_type.replace('_', ' ')}). Send less, or ask for less.`,
    { limit_type, limit_value, actual_value, unit },
  );
}
