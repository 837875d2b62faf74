/** Reads the limits of a value that an adapter supports. Contradictory limits are dropped. */

import { memberOf } from '@callsign/core';

import type { ParamType, ValueShape } from '../../adapter/adapter-document.js';
import { typeFits } from '../../adapter/type-fits.js';
import type { Findings } from './import-report.js';
import { pointerOf, type SpecNode, textOf } from './spec-node.js';

const MAX_WORDS = 200;
const MAX_PATTERN = 1000;

type Constraints = Omit<ValueShape, 'type'>;

export function constraintsOf(schema: SpecNode, type: ParamType, findings: Findings): Constraints {
  const format = textOf(schema, 'format') ?? contentFormat(schema);
  switch (type) {
    case 'string':
      return {
        ...words(schema, type, findings),
        ...range(schema, 'minLength', 'maxLength', 'min_length', 'max_length'),
        ...pattern(schema, findings),
        ...(format === undefined || /\s/.test(format) ? {} : { format: format.slice(0, 40) }),
      };
    case 'integer':
    case 'number':
      return {
        ...words(schema, type, findings),
        ...range(schema, 'minimum', 'maximum', 'minimum', 'maximum'),
      };
    case 'array':
      return range(schema, 'minItems', 'maxItems', 'min_items', 'max_items');
    default:
      return {};
  }
}

/** What 3.1 says in other keys, in the words of 3.0: `byte` is base64. */
function contentFormat(schema: SpecNode): string | undefined {
  const encoding = textOf(schema, 'contentEncoding');
  if (encoding !== undefined) return /^base64/i.test(encoding) ? 'byte' : encoding;
  const type = textOf(schema, 'contentMediaType');
  return type === undefined || /^text\/|json|xml|yaml|javascript/i.test(type)
    ? undefined
    : 'binary';
}

/** The default, if it fits and is a single value or a list of single values. */
export function defaultOf(schema: SpecNode, shape: ValueShape): unknown {
  const value = memberOf(schema.value, 'default');
  if (value === undefined || value === null || !typeFits(value, shape)) return undefined;
  if (shape.enum) return shape.enum.includes(value as string) ? value : undefined;
  if (Array.isArray(value)) {
    const isPlain = value.every((element) => typeof element !== 'object');
    return isPlain && value.length <= MAX_WORDS ? [...(value as unknown[])] : undefined;
  }
  return typeof value === 'object' ? undefined : value;
}

function words(schema: SpecNode, type: ParamType, findings: Findings): Constraints {
  const { value } = schema;
  const given = memberOf(value, 'enum') ?? [memberOf(value, 'const')];
  const listed = (Array.isArray(given) ? (given as unknown[]) : []).filter((word) =>
    typeFits(word, { type }),
  );
  const distinct = [...new Set(listed)] as string[];
  if (distinct.length <= MAX_WORDS) return distinct.length === 0 ? {} : { enum: distinct };
  const message = `Its ${distinct.length} values were left out, because an adapter lists at most ${MAX_WORDS}. So every value is sent.`;
  findings.note('left-out', pointerOf(schema), message);
  return {};
}

function range(
  { value }: SpecNode,
  least: string,
  most: string,
  leastKey: keyof Constraints,
  mostKey: keyof Constraints,
): Constraints {
  const isSize = least !== 'minimum';
  const read = (key: string): number | undefined => {
    const limit = memberOf(value, key);
    if (typeof limit !== 'number' || !Number.isFinite(limit)) return undefined;
    return isSize && !(Number.isSafeInteger(limit) && limit >= 0) ? undefined : limit;
  };
  const [from, to] = [read(least), read(most)];
  if (from !== undefined && to !== undefined && from > to) return {};
  return {
    ...(from === undefined || (isSize && from === 0) ? {} : { [leastKey]: from }),
    ...(to === undefined ? {} : { [mostKey]: to }),
  };
}

function pattern(schema: SpecNode, findings: Findings): Constraints {
  const text = textOf(schema, 'pattern');
  if (text === undefined) return {};
  try {
    if (text.length <= MAX_PATTERN && new RegExp(text, 'u')) return { pattern: text };
  } catch {
    // Written for another language. Reported below.
  }
  const message = 'Its pattern is not a regular expression of JavaScript, so it is not checked.';
  findings.note('left-out', pointerOf(schema), message);
  return {};
}
