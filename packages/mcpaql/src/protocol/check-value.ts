/**
 * Checks one value against its shape. Types and constraints are separate steps, as the protocol
 * orders them.
 */

import { createContext, Script } from 'node:vm';

import type { PropertyShape, ValueShape } from '../adapter/adapter-document.js';
import { fingerprint } from '../adapter/review.js';
import { typeFits } from '../adapter/type-fits.js';
import { ProtocolError } from './protocol-error.js';

/** Checks the type at every depth. Unknown keys of objects are refused. */
export function checkType(value: unknown, shape: ValueShape, name: string): void {
  if (!typeFits(value, shape)) {
    const actual_type = typeName(value);
    const expected_type = typeWords(shape);
    const message = `Parameter '${name}' must be ${expected_type}, and is ${actual_type}${said(shape)}`;
    const details = { param_name: name, expected_type, actual_type };
    throw new ProtocolError('VALIDATION_INVALID_TYPE', message, details);
  }
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const message = `Parameter '${name}' has more digits than a JSON number carries exactly; write it as text, in quotes.`;
    throw new ProtocolError('VALIDATION_INVALID_TYPE', message, {
      param_name: name,
      expected_type: shape.type,
      actual_type: 'number past 2^53',
    });
  }
  if (shape.type === 'union') checkForms(value, shape.one_of ?? [], name);
  for (const [inner, innerShape, innerName] of partsOf(value, shape, name)) {
    checkType(inner, innerShape, innerName);
  }
}

/** Throws unless the value fits a form. The error is that of the most likely form. */
function checkForms(value: unknown, forms: readonly ValueShape[], name: string): void {
  if (value === null) return;
  const meant: unknown[] = [];
  const others: unknown[] = [];
  for (const form of forms) {
    try {
      checkType(value, form, name);
      checkConstraints(value, form, name);
      return;
    } catch (error) {
      if (typeFits(value, form)) (isMarked(value, form) ? meant : others).push(error);
    }
  }
  const [likely, ...rest] = meant.length > 0 ? meant : others;
  if (likely !== undefined && rest.length === 0) throw likely;
  const reasons = [...meant, ...others].map((error) => (error as Error).message);
  const message = `Parameter '${name}' fits none of its ${forms.length} forms. ${[...new Set(reasons)].slice(0, 3).join(' Or: ')}`;
  throw new ProtocolError('VALIDATION_INVALID_TYPE', message, { param_name: name });
}

/** Whether the value has the constant that marks this form. */
function isMarked(value: unknown, { properties = {} }: ValueShape): boolean {
  const marks = Object.entries(properties).filter(([, { enum: words }]) => words?.length === 1);
  return (
    marks.length > 0 &&
    marks.every(([key, { enum: words }]) => words![0] === (value as Record<string, unknown>)[key])
  );
}

export function checkConstraints(value: unknown, shape: ValueShape, name: string): void {
  // For a union, checkType has found the matching form.
  if (value === null || shape.type === 'union') return;
  if (shape.enum && !shape.enum.includes(value as string)) {
    const words = shape.enum.map((word) => `'${String(word)}'`).join(', ');
    throw new ProtocolError(
      'VALIDATION_INVALID_ENUM',
      `Parameter '${name}' must be one of ${words}.`,
      { param_name: name, allowed: shape.enum },
    );
  }
  const isNumber = typeof value === 'number' || shape.type === 'integer' || shape.type === 'number';
  if (isNumber) checkNumber(Number(value), shape, name);
  if (Array.isArray(value)) {
    checkRange(value.length, 'number of elements', name, shape.min_items, shape.max_items);
    if (shape.unique_items) checkUnique(value, name);
  } else if (typeof value === 'object') {
    const { length } = Object.keys(value as object);
    checkRange(length, 'number of fields', name, shape.min_properties, shape.max_properties);
  }
  if (typeof value === 'string' && !isNumber) checkText(value, shape, name);
  for (const [inner, innerShape, innerName] of partsOf(value, shape, name)) {
    checkConstraints(inner, innerShape, innerName);
  }
}

function checkNumber(value: number, shape: ValueShape, param_name: string): void {
  const { exclusive_minimum, exclusive_maximum, multiple_of } = shape;
  checkRange(value, 'number', param_name, shape.minimum, shape.maximum);
  const outside = (words: string, details: object): ProtocolError => {
    const message = `Parameter '${param_name}': the number must be ${words}, and is ${value}.`;
    return new ProtocolError('VALIDATION_OUT_OF_RANGE', message, {
      param_name,
      ...details,
      actual: value,
    });
  };
  if (exclusive_minimum !== undefined && value <= exclusive_minimum) {
    throw outside(`above ${exclusive_minimum}`, { exclusive_minimum });
  }
  if (exclusive_maximum !== undefined && value >= exclusive_maximum) {
    throw outside(`below ${exclusive_maximum}`, { exclusive_maximum });
  }
  if (multiple_of !== undefined && !isMultiple(value, multiple_of)) {
    throw outside(`a multiple of ${multiple_of}`, { multiple_of });
  }
}

/** 0.3 counts as a multiple of 0.1, though their quotient is not exact. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  const error = Math.abs(quotient - Math.round(quotient));
  return error <= 2 * Number.EPSILON * Math.max(1, Math.abs(quotient));
}

function checkUnique(values: readonly unknown[], param_name: string): void {
  const indexes = new Map<string, number>();
  for (const [i, value] of values.entries()) {
    const print = fingerprint(value);
    const before = indexes.get(print);
    if (before !== undefined) {
      const message = `Parameter '${param_name}': all elements must differ, and ${before} and ${i} are equal.`;
      const details = { param_name, indexes: [before, i] };
      throw new ProtocolError('VALIDATION_INVALID_VALUE', message, details);
    }
    indexes.set(print, i);
  }
}

function checkText(value: string, shape: ValueShape, name: string): void {
  const { min_length, max_length } = shape;
  if (min_length !== undefined || max_length !== undefined) {
    // In characters of Unicode, as JSON Schema counts.
    checkRange([...value].length, 'number of characters', name, min_length, max_length);
  }
  if (shape.pattern === undefined) return;
  const matches = matchesPattern(shape.pattern, value);
  if (matches) return;
  const why = matches === undefined ? 'could not be checked against' : 'does not match';
  throw new ProtocolError(
    'VALIDATION_PATTERN_MISMATCH',
    `Parameter '${name}' ${why} the pattern '${shape.pattern}'.`,
    { param_name: name, pattern: shape.pattern },
  );
}

function checkRange(
  actual: number,
  what: string,
  param_name: string,
  minimum = -Infinity,
  maximum = Infinity,
): void {
  if (actual >= minimum && actual <= maximum) return;
  const from = minimum === -Infinity ? '' : `from ${minimum} `;
  const to = maximum === Infinity ? 'up' : `to ${maximum}`;
  throw new ProtocolError(
    'VALIDATION_OUT_OF_RANGE',
    `Parameter '${param_name}': the ${what} must be ${from}${to}, and is ${actual}.`,
    {
      param_name,
      ...(minimum === -Infinity ? {} : { minimum }),
      ...(maximum === Infinity ? {} : { maximum }),
      actual,
    },
  );
}

/** The parts of a list or object that a shape describes. Missing and unknown parts are refused. */
function partsOf(
  value: unknown,
  shape: ValueShape,
  name: string,
): [value: unknown, shape: ValueShape, name: string][] {
  if (Array.isArray(value)) {
    const { prefix_items = [], items } = shape;
    return value.flatMap((element: unknown, i) => {
      const part = prefix_items[i] ?? items;
      return part ? [[element, part, `${name}[${i}]`]] : [];
    });
  }
  const { properties = {}, additional_properties } = shape;
  const others = additional_properties ?? !shape.properties;
  if (typeof value !== 'object' || value === null) return [];
  const known = new Map<string, PropertyShape>(Object.entries(properties));
  for (const [key, { required, type }] of known) {
    if (!required || Object.hasOwn(value, key)) continue;
    const message = `Field '${name}.${key}' (${type}) is missing.`;
    throw new ProtocolError('VALIDATION_MISSING_PARAM', message, { param_name: `${name}.${key}` });
  }
  return Object.entries(value).flatMap(([key, inner]) => {
    const innerShape = known.get(key);
    if (innerShape) return [[inner, innerShape, `${name}.${key}`]];
    if (typeof others === 'object') return [[inner, others, `${name}.${key}`]];
    if (others) return [];
    const message = `Field '${name}.${key}' is unknown. Known fields: ${[...known.keys()].join(', ')}.`;
    const details = { unknown_fields: [key], valid_fields: [...known.keys()] };
    throw new ProtocolError('VALIDATION_UNKNOWN_FIELD', message, details);
  });
}

function typeWords({ type, one_of = [] }: ValueShape): string {
  if (type === 'file') return 'a file: {"base64": "…"} or {"path": "…"}';
  return type === 'union' ? [...new Set(one_of.map(typeWords))].join(' or ') : type;
}

function said({ description }: ValueShape): string {
  return description === undefined ? '.' : `: ${description}`;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** The second limit is for a busy machine, where a quick test may miss the first. */
const LIMITS_MS = [100, 1_000];
/** Created once, at the first use: creating a context takes a thousand times as long as using it. */
let tester: { readonly test: Script; readonly context: Record<string, unknown> } | undefined;

/** `undefined` if the test did not end in time. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  const { test, context } = (tester ??= {
    test: new Script('new RegExp(pattern, "u").test(text)'),
    context: createContext({}),
  });
  Object.assign(context, { pattern, text });
  for (const timeout of LIMITS_MS) {
    try {
      return test.runInContext(context, { timeout }) as boolean;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        return undefined;
    }
  }
  return undefined;
}
