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
        ...sizes(schema, 'Length', 'length'),
        ...pattern(schema, findings),
        ...(format === undefined || /\s/.test(format) ? {} : { format: format.slice(0, 40) }),
      };
    case 'integer':
    case 'number':
      return {
        ...words(schema, type, findings),
        ...numberRange(schema),
        ...multiple(schema),
      };
    case 'boolean':
      return words(schema, type, findings);
    case 'array':
      return {
        ...sizes(schema, 'Items', 'items'),
        ...(memberOf(schema.value, 'uniqueItems') === true ? { unique_items: true } : {}),
      };
    case 'object':
      return sizes(schema, 'Properties', 'properties');
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

/** `what`: `Length` for `minLength` and `maxLength`. */
function sizes(
  { value }: SpecNode,
  what: string,
  name: 'length' | 'items' | 'properties',
): Constraints {
  const read = (key: string): number | undefined => {
    const limit = memberOf(value, key);
    return Number.isSafeInteger(limit) && Number(limit) >= 0 ? Number(limit) : undefined;
  };
  const [from = 0, to] = [read(`min${what}`), read(`max${what}`)];
  if (to !== undefined && from > to) return {};
  return {
    ...(from === 0 ? {} : { [`min_${name}`]: from }),
    ...(to === undefined ? {} : { [`max_${name}`]: to }),
  };
}

/** Before 3.1, `exclusiveMinimum: true` makes `minimum` exclusive. Since then it is a number. */
function numberRange({ value }: SpecNode): Constraints {
  const read = (key: string): number | undefined => {
    const limit = memberOf(value, key);
    return typeof limit === 'number' && Number.isFinite(limit) ? limit : undefined;
  };
  const isStrict = (key: string): boolean => memberOf(value, key) === true;
  const [minimum, maximum] = [read('minimum'), read('maximum')];
  const above = isStrict('exclusiveMinimum') ? minimum : read('exclusiveMinimum');
  const below = isStrict('exclusiveMaximum') ? maximum : read('exclusiveMaximum');
  const least = Math.max(minimum ?? -Infinity, above ?? -Infinity);
  const most = Math.min(maximum ?? Infinity, below ?? Infinity);
  if (least > most || (least === most && (least === above || most === below))) return {};
  return {
    ...(minimum === undefined || isStrict('exclusiveMinimum') ? {} : { minimum }),
    ...(maximum === undefined || isStrict('exclusiveMaximum') ? {} : { maximum }),
    ...(above === undefined ? {} : { exclusive_minimum: above }),
    ...(below === undefined ? {} : { exclusive_maximum: below }),
  };
}

function multiple({ value }: SpecNode): Constraints {
  const step = memberOf(value, 'multipleOf');
  return typeof step === 'number' && step > 0 && Number.isFinite(step) ? { multiple_of: step } : {};
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
