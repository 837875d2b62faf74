// Whose each difference is. A rule looks at the request, the arguments and the words of the validators.

import { typeFits } from '@callsign/mcpaql';

/** In the order in which they are asked. What no class knows is ours. */
const CLASSES = [
  {
    name: 'no-text',
    whose: 'arguments',
    reason: 'The adapter refuses them: this command finds no text that fits a pattern.',
    when: ({ refusal, error }) => refusal && error.code === 'VALIDATION_PATTERN_MISMATCH',
  },
  {
    name: 'overlap',
    whose: 'document',
    reason: 'The forms of a `oneOf` overlap: the value fits several, and only one is allowed.',
    when: ({ backend, enforcer }) =>
      backend.some(
        ({ keyword, params }) => keyword === 'oneOf' && params.passingSchemas?.length > 1,
      ) ||
      /too many schemas match|exactly one schema(?:\s+at: \d+){1}\s+Valid value/.test(enforcer),
  },
  {
    name: 'contradiction',
    whose: 'document',
    reason:
      'The parts of an `allOf` contradict each other: two types, or each one refuses the keys of the other.',
    when: ({ backend }) =>
      all(
        backend,
        ({ schemaPath, keyword }) =>
          schemaPath.includes('/allOf/') && ['type', 'additionalProperties'].includes(keyword),
      ),
  },
  {
    name: 'standard',
    whose: 'document',
    reason: 'The default of a parameter does not fit its own schema.',
    when: ({ backend, operation, params }) =>
      all(backend, ({ at }) => {
        const param = paramFor(operation, at.split('/')[2]);
        return param?.default !== undefined && params[param.name] === undefined;
      }),
  },
  {
    name: 'words',
    whose: 'document',
    reason: 'The values of an `enum` are of another type than the schema says.',
    when: ({ backend, operation }) =>
      all(
        backend,
        ({ at, keyword, params }) =>
          keyword === 'enum' &&
          shapesAt(operation, at.split('/').slice(1)).some(({ type }) =>
            params.allowedValues.every((word) => !typeFits(word, { type })),
          ),
      ),
  },
  {
    name: 'override',
    whose: 'decided',
    reason:
      'The document requires `X-HTTP-Method-Override`. An import leaves such parameters out, and reports it.',
    when: ({ backend }) =>
      all(backend, ({ params }) => /^x-http-method/i.test(params.missingProperty)),
  },
  {
    name: 'forbidden',
    whose: 'decided',
    reason: 'The operation is so dangerous that the owner of the adapter must allow it first.',
    when: ({ refusal, error }) => refusal && error.code === 'PERMISSION_DANGER_LEVEL_DENIED',
  },
  {
    name: 'slash',
    whose: 'validator',
    reason:
      '`openapi-backend` finds no parameters in a path that ends in a slash or that has a query.',
    when: ({ backend, source }) =>
      /[/#]$|[?#]/.test(source) &&
      all(backend, ({ at, keyword }) => at === '/path' && keyword === 'required'),
  },
  {
    name: 'ignored',
    whose: 'validator',
    reason:
      'OpenAPI ignores a parameter for the header `Accept`, `Content-Type` or `Authorization`. A validator asks for it.',
    when: ({ backend, enforcer }) =>
      all(backend, ({ at, params }) => {
        const name = params.missingProperty ?? at.split('/')[2] ?? '';
        return at.startsWith('/header') && OWN_HEADERS.has(name.toLowerCase());
      }) ||
      /^Request has one or more errors\s+In header parameters\s+Missing required parameters?: (?:accept|content-type|authorization)\s*$/i.test(
        enforcer,
      ),
  },
  {
    name: 'read-only',
    whose: 'validator',
    reason:
      'A property is required and read-only, so only answers have it. `openapi-backend` asks for it.',
    when: ({ backend, enforcer, readOnly }) =>
      enforcer === '' &&
      all(
        backend,
        ({ keyword, params }) => keyword === 'required' && readOnly.has(params.missingProperty),
      ),
  },
  {
    name: 'format',
    whose: 'arguments',
    reason:
      'A text has a pattern and a format: this command looks only for one that fits the pattern.',
    when: ({ backend, operation }) =>
      all(
        backend,
        ({ at, keyword }) =>
          keyword === 'format' &&
          shapesAt(operation, at.split('/').slice(1)).some(({ pattern }) => pattern !== undefined),
      ),
  },
  {
    name: 'patterns',
    whose: 'arguments',
    reason:
      'The import leaves out a pattern that is not a regular expression of Unicode, or is longer than 1,000 characters, and reports it. So the API checks the text.',
    when: ({ backend }) =>
      all(
        backend,
        ({ keyword, params }) =>
          keyword === 'pattern' &&
          (params.pattern.length > 1000 || !isUnicodePattern(params.pattern)),
      ),
  },
  {
    name: 'many-words',
    whose: 'arguments',
    reason:
      'The import leaves out an `enum` of more than 200 values, and reports it. So the API checks the value.',
    when: ({ backend }) =>
      all(
        backend,
        ({ keyword, params }) => keyword === 'enum' && params.allowedValues.length > 200,
      ),
  },
  {
    name: 'choices',
    whose: 'arguments',
    reason:
      'Forms that differ only in `required` are not kept by an import, so the API checks them.',
    when: ({ backend }) =>
      all(
        backend,
        ({ keyword, schemaPath }) =>
          ['required', 'anyOf', 'oneOf'].includes(keyword) &&
          /\/(?:anyOf|oneOf)\b/.test(schemaPath),
      ),
  },
  {
    name: 'lists',
    whose: 'validator',
    reason:
      '`openapi-backend` reads no lists and objects in paths, headers and cookies, no objects in queries, and single values as lists. `openapi-enforcer` cannot read the operation.',
    when: ({ backend, enforcer, operation, kind }) =>
      (enforcer === '' || (kind === 'odd' && enforcer.includes('not formatted properly'))) &&
      all(backend, ({ at, keyword, params }) => {
        const [, place, name] = at.split('/');
        if (place === 'requestBody') return false;
        if (keyword === 'additionalProperties') {
          return name === undefined && isPartOf(operation, params.additionalProperty);
        }
        return keyword === 'type' && (holdsParts(paramFor(operation, name)) || place === 'query');
      }),
  },
  {
    name: 'json',
    whose: 'validator',
    reason: '`openapi-enforcer` reads a parameter in JSON as a list with commas.',
    when: ({ backend, enforcer, operation }) =>
      backend.length === 0 &&
      [...operation.params.values()].some(({ object_style: style }) => style === 'json') &&
      /^Request has one or more errors\s+In (?:header|query|cookie) parameters/.test(enforcer),
  },
  {
    name: 'nested',
    whose: 'document',
    reason:
      'A list in a header or a query has objects, for which OpenAPI has no style. An adapter writes them as JSON.',
    when: ({ backend, enforcer, operation }) =>
      backend.length === 0 &&
      /^Request has one or more errors\s+In (?:header|query|cookie) parameters/.test(enforcer) &&
      [...operation.params.values()].some(
        ({ in: place, items }) =>
          place !== 'payload' && ['object', 'array', 'union'].includes(items?.type),
      ),
  },
  {
    name: 'unchecked',
    whose: 'arguments',
    reason:
      'The import leaves a part open (deeper than four levels, a schema inside itself, more than 16 forms, a type that is only null), so the API checks it. This command fills it with any value.',
    when: ({ backend, enforcer, operation }) =>
      backend.length > 0
        ? backend.some(({ at }) => isOpenAt(operation, at.split('/').slice(1)))
        : isOpenAt(operation, placeIn(enforcer)),
  },
];

export const REASONS = Object.fromEntries(CLASSES.map(({ name, reason }) => [name, reason]));

export function sorted({ error, ...rest }) {
  const refusal = !Array.isArray(error);
  const errors = refusal ? [] : error;
  const backend = errors.filter(({ by }) => by === 'openapi-backend');
  const enforcer = errors.flatMap(({ by, message }) => (by === 'openapi-enforcer' ? message : []));
  const found = { ...rest, error, refusal, backend, enforcer: enforcer.join('\n') };
  const known = CLASSES.find(({ when }) => when(found));
  return known ?? { name: 'unknown', whose: 'ours' };
}

/** Deeper parts are open in an adapter. */
const MAX_DEPTH = 4;
const OWN_HEADERS = new Set(['accept', 'content-type', 'authorization']);

/** For no errors, nothing is true. */
function all(errors, test) {
  return errors.length > 0 && errors.every(test);
}

function isUnicodePattern(pattern) {
  try {
    return new RegExp(pattern, 'u').unicode;
  } catch {
    return false;
  }
}

/** Where the first error of `openapi-enforcer` is, as a path. */
function placeIn(text) {
  if (!/In body/.test(text)) return [];
  const keys = [];
  let depth = -1;
  for (const [, indent, key] of text.matchAll(/^( *)at: (.*)$/gm)) {
    if (indent.length <= depth) break;
    depth = indent.length;
    keys.push(...key.split(' > '));
  }
  return ['requestBody', ...keys];
}

function paramFor({ params }, wireName) {
  return [...params.values()].find(
    ({ as, name }) => (as ?? name).toLowerCase() === wireName?.toLowerCase(),
  );
}

/** Whether a key of a query belongs to an object that the document describes as one parameter. */
function isPartOf({ params }, key) {
  return [...params.values()].some(({ as, name, object_style: style }) => {
    const wireName = as ?? name;
    return (
      wireName === key || wireName.startsWith(`${key}[`) || style === 'keys' || style === 'deep'
    );
  });
}

function holdsParts(param) {
  return ['array', 'object', 'union'].includes(param?.type);
}

/** Whether the adapter accepts any value at this place of a request. */
function isOpenAt(operation, path) {
  return path.length > MAX_DEPTH + 1 || shapesAt(operation, path).some(isOpen);
}

function isOpen({ type, properties, additional_properties: others }) {
  return type === 'any' || (type === 'object' && properties === undefined && others === true);
}

/** The shapes that a place of a request may have. An open shape stands for everything in it. */
function shapesAt(operation, [place, ...keys]) {
  const whole = [...operation.params.values()].find((param) => param.in === 'payload');
  if (place === 'requestBody' && whole) return shapesIn(whole, keys);
  const [first = '', ...rest] = keys;
  const param = paramFor(operation, first.replaceAll('~1', '/').replaceAll('~0', '~'));
  return param ? shapesIn(param, rest) : [];
}

function shapesIn(shape, keys) {
  if (shape.type === 'union') return shape.one_of.flatMap((form) => shapesIn(form, keys));
  if (keys.length === 0 || isOpen(shape)) return [shape];
  const [key, ...rest] = keys;
  const part =
    shape.type === 'array'
      ? (shape.prefix_items?.[Number(key)] ?? shape.items ?? { type: 'any' })
      : (shape.properties?.[key] ?? shape.additional_properties);
  if (part === undefined || part === false) return [];
  return shapesIn(part === true ? { type: 'any' } : part, rest);
}
