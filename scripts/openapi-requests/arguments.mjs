// Arguments for an operation of an adapter, made from what the adapter says about its parameters.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const load = createRequire(new URL('validators/package.json', import.meta.url));

/** What is sent: only what is required, everything, or everything with characters that need encoding. */
export const KINDS = ['required', 'all', 'odd'];

/** The whole body has parts down to this depth. */
const MAX_DEPTH = 4;
const ODD = 'é/ü &?#%+"';
const FORMATS = {
  byte: 'YWJj',
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
  duration: 'P1D',
  email: 'ann@harbour.example',
  hostname: 'harbour.example',
  'idn-email': 'ann@harbour.example',
  'idn-hostname': 'harbour.example',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  iri: 'https://harbour.example/a',
  'iri-reference': '/a',
  'json-pointer': '/a',
  regex: 'a',
  'relative-json-pointer': '1/a',
  time: '03:04:05Z',
  uri: 'https://harbour.example/a',
  'uri-reference': '/a',
  'uri-template': 'https://harbour.example/{a}',
  url: 'https://harbour.example/a',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** The arguments of one call, by the names of the adapter. */
export function argumentsOf({ params, mapsTo }, kind) {
  const inPath = new Set(mapsTo.path.flatMap((part) => (part.kind === 'param' ? part.name : [])));
  const chosen = [...params.values()].filter((param) => param.required || kind !== 'required');
  return Object.fromEntries(
    chosen.map((param) => {
      const isBody = param.in === 'payload' || (param.in ?? 'body') === 'body';
      // An object outside a body that is empty is not sent at all, and a path must not be empty.
      const isFilled = inPath.has(param.name) || !isBody;
      return [param.name, valueOf(param, { kind, depth: 0, isFilled })];
    }),
  );
}

function valueOf(shape, at) {
  if (shape.enum) return shape.enum.at(at.kind === 'required' ? 0 : -1);
  switch (shape.type) {
    case 'union':
      return valueOf(shape.one_of.at(at.kind === 'odd' ? -1 : 0), at);
    case 'integer':
    case 'number':
      return numberOf(shape, at.kind);
    case 'boolean':
      return at.kind !== 'required';
    case 'array':
      return listOf(shape, at);
    case 'object':
      return objectOf(shape, at);
    case 'file':
      return { base64: 'YWJj', name: 'a.txt', type: 'text/plain' };
    case 'any':
      return 'text';
    default:
      return textOf(shape, at);
  }
}

function numberOf(shape, kind) {
  const { minimum, maximum, exclusive_minimum: above, exclusive_maximum: below } = shape;
  const step = shape.multiple_of ?? (shape.type === 'integer' ? 1 : 0.5);
  const least = Math.max(minimum ?? -Infinity, above === undefined ? -Infinity : above + step);
  const most = Math.min(maximum ?? Infinity, below === undefined ? Infinity : below - step);
  const wanted = kind === 'required' ? 1 : 3;
  const value = Math.min(Math.max(wanted, least), most);
  const rounded = shape.multiple_of ? Math.ceil(value / step) * step : value;
  return shape.type === 'integer' ? Math.round(rounded) : rounded;
}

function listOf(shape, at) {
  const { prefix_items: first = [], items = { type: 'string' } } = shape;
  const inner = { ...at, depth: at.depth + 1, isFilled: true };
  const usual = at.kind === 'required' ? 1 : 2;
  const length = Math.max(
    shape.min_items ?? 0,
    first.length,
    Math.min(usual, shape.max_items ?? usual),
  );
  const values = Array.from({ length }, (_, i) => {
    const value = valueOf(first[i] ?? items, inner);
    return shape.unique_items && i > 0 ? another(value, i, items) : value;
  });
  return shape.unique_items ? distinct(values) : values;
}

/** Another value of the same kind. */
function another(value, i, { enum: words }) {
  if (words) return words[i % words.length];
  if (typeof value === 'string') return value + i;
  return typeof value === 'number' ? value + i : value;
}

function distinct(values) {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function objectOf(shape, at) {
  const { properties = {}, additional_properties: others, min_properties: least = 0 } = shape;
  const isAll = at.kind !== 'required' && at.depth < MAX_DEPTH;
  const entries = Object.entries(properties);
  const { max_properties: most = Infinity } = shape;
  const chosen = entries.filter(([, { required }]) => required || isAll).slice(0, most);
  const rest = entries.filter((entry) => !chosen.includes(entry));
  const wanted = Math.max(least, at.isFilled ? 1 : 0);
  chosen.push(...rest.slice(0, Math.max(0, wanted - chosen.length)));
  const inner = { ...at, depth: at.depth + 1, isFilled: false };
  const value = Object.fromEntries(chosen.map(([key, part]) => [key, valueOf(part, inner)]));
  const isFree = others !== undefined && others !== false;
  const free = typeof others === 'object' ? others : { type: 'string' };
  const isNeeded = Object.keys(value).length < wanted || (isAll && typeof others === 'object');
  const missing = isFree && isNeeded ? Math.max(1, wanted - Object.keys(value).length) : 0;
  for (let i = 0; i < missing; i++) value[`key_${i}`] = valueOf(free, inner);
  return value;
}

function textOf(shape, { kind, depth, isFilled }) {
  if (shape.pattern !== undefined) return patternText(shape);
  if (FORMATS[shape.format] !== undefined) return FORMATS[shape.format];
  // In a list or an object outside a body, a validator could take some characters for separators.
  const isSimple = kind !== 'odd' || (isFilled && depth > 0);
  const { min_length: least = 0, max_length: most = Infinity } = shape;
  const text = (isSimple ? 'text' : ODD).padEnd(least, 'x');
  return [...text].slice(0, most).join('');
}

/** A text that a pattern matches. The first that is long enough, in an order that is always the same. */
function patternText({ pattern, min_length: least = 0, max_length: most = Infinity }) {
  const RandExp = load('randexp');
  const test = new RegExp(pattern, 'u');
  for (const max of [0, 1, 3, 8, 20, 40, 100]) {
    const generator = new RandExp(pattern);
    generator.max = max;
    let state = 7;
    generator.randInt = (from, to) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return max === 0 ? from : from + (state % (to - from + 1));
    };
    for (let i = 0; i < 20; i++) {
      const text = generator.gen();
      const { length } = [...text];
      if (length >= least && length <= most && test.test(text)) return text;
      if (max === 0) break;
    }
  }
  return 'text';
}

/** The folder of the validators, which has its own lock file. */
export const VALIDATORS = fileURLToPath(new URL('validators', import.meta.url));
