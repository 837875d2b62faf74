// Two independent validators. Each says whether a request is as the document says, or that it cannot tell.
import { createRequire } from 'node:module';

import { bodyOf, partsOf } from './received.mjs';

const load = createRequire(new URL('validators/package.json', import.meta.url));

/**
 * Returns a function that judges a request to an operation: `{ accepts, refuses }` with the names of the validators, and
 * `errors`. A validator that cannot read the document is in neither.
 */
export async function judgesFor(definition) {
  const resolve = resolverFor(definition);
  const judges = [createEnforcer(definition), await createBackend(definition)].filter(Boolean);

  return async function judge(source, request) {
    const [, method, template] = /^(\S+) (.*)$/s.exec(source);
    const parts = partsOf(template, request.url);
    if (!parts || request.method !== method) {
      const errors = [{ by: 'path', message: 'The request went to another path.' }];
      return { accepts: [], refuses: ['path'], errors, decoded: undefined };
    }
    const { operation, content } = operationIn(definition, template, method, resolve);
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0];
    const media = mediaOf(content, type, operation, resolve);
    const body = await bodyOf(request, media, resolve);
    const [path] = request.url.split('?', 1);
    const received = { method, template, path, ...parts, headers: request.headers, body };
    const verdict = { accepts: [], refuses: [], errors: [], decoded: undefined };
    for (const { name, check } of judges) {
      const found = await check(received);
      if (found === undefined) continue;
      (found.errors.length === 0 ? verdict.accepts : verdict.refuses).push(name);
      verdict.errors.push(...found.errors.map((error) => ({ by: name, ...error })));
      verdict.decoded ??= found.decoded;
    }
    return verdict;
  };
}

/** Follows references inside the document. */
function resolverFor(definition) {
  return function resolve(node) {
    let at = node;
    for (let hops = 0; typeof at?.$ref === 'string' && hops < 32; hops++) {
      if (!at.$ref.startsWith('#/')) return undefined;
      const keys = at.$ref.slice(2).split('/').map(unescaped);
      at = keys.reduce((inner, key) => inner?.[key], definition);
    }
    return at;
  };
}

function operationIn(definition, template, method, resolve) {
  const item = resolve(definition.paths[template]);
  const operation = item[method.toLowerCase()];
  return { operation, content: resolve(operation.requestBody)?.content };
}

/** In 2.0 a form is described by its parameters. */
function mediaOf(content, type, operation, resolve) {
  if (content) {
    const key = Object.keys(content).find(
      (each) => each.split(';', 1)[0].toLowerCase() === type.toLowerCase(),
    );
    return content[key];
  }
  const fields = (operation.parameters ?? [])
    .map(resolve)
    .filter((each) => each?.in === 'formData');
  return { schema: { properties: Object.fromEntries(fields.map((each) => [each.name, each])) } };
}

/** It reads no document with a mistake. So each operation is given to it alone, with what it refers to. */
function createEnforcer(definition) {
  if (/^3\.[^0]/.test(definition.openapi ?? '')) return undefined;
  const known = new Map();
  const operationOf = (template, method) => {
    const key = `${method} ${template}`;
    if (!known.has(key)) known.set(key, enforcedOperation(definition, template, method));
    return known.get(key);
  };
  return {
    name: 'openapi-enforcer',
    async check({ method, template, values, query, headers, body }) {
      const operation = await operationOf(template, method.toLowerCase());
      if (!operation) return undefined;
      try {
        const given = body.hasBody ? { body: body.value } : {};
        const [decoded, error] = operation.request({ headers, path: values, query, ...given });
        return { decoded, errors: error ? [{ message: String(error) }] : [] };
      } catch {
        return undefined;
      }
    },
  };
}

async function enforcedOperation(definition, template, method) {
  const Enforcer = load('openapi-enforcer');
  const resolve = resolverFor(definition);
  const { parameters = [], [method]: operation } = resolve(definition.paths[template]);
  // Answers, examples and servers are not asked here, and their mistakes neither.
  const { responses: _, servers: __, callbacks: ___, security: ____, ...asked } = operation;
  const item = { parameters, [method]: { ...asked, responses: { 200: { description: 'Fine' } } } };
  const [version] = definition.openapi ? ['openapi'] : ['swagger'];
  const part = {
    [version]: definition[version],
    info: { title: 'One operation', version: '1' },
    paths: { [template]: item },
    ...(definition.consumes ? { consumes: definition.consumes } : {}),
  };
  addReferred(item, definition, part);
  try {
    const [openapi] = await Enforcer(withoutExamples(part), {
      fullResult: true,
      hideWarnings: true,
    });
    return openapi?.paths[template]?.[method];
  } catch {
    return undefined;
  }
}

/** Copies everything that a value refers to, and what that refers to. */
function addReferred(value, definition, part) {
  if (typeof value !== 'object' || value === null) return;
  const reference = value.$ref;
  if (typeof reference === 'string' && reference.startsWith('#/')) {
    const keys = reference.slice(2).split('/').map(unescaped);
    const last = keys.pop();
    const holder = keys.reduce((inner, key) => (inner[key] ??= {}), part);
    if (last in holder) return;
    holder[last] = keys.concat(last).reduce((inner, key) => inner?.[key], definition);
    addReferred(holder[last], definition, part);
    return;
  }
  for (const inner of Object.values(value)) addReferred(inner, definition, part);
}

function unescaped(key) {
  return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A copy. */
function withoutExamples(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutExamples);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      return isExample(key, inner) ? [] : [[key, withoutExamples(inner)]];
    }),
  );
}

/** A schema with a type is a property that is called `example`. */
function isExample(key, value) {
  return ['example', 'examples', 'default'].includes(key) && value?.type === undefined;
}

async function createBackend(definition) {
  if (definition.openapi === undefined) return undefined;
  const { OpenAPIBackend } = load('openapi-backend');
  const addFormats = load('ajv-formats');
  const copy = structuredClone(definition);
  const ids = new Map();
  for (const [path, item] of Object.entries(copy.paths)) {
    for (const method of ['get', 'put', 'post', 'delete', 'patch']) {
      if (!item?.[method]) continue;
      const id = `operation${ids.size}`;
      ids.set(`${method.toUpperCase()} ${path}`, id);
      item[method].operationId = id;
    }
  }
  copy.servers = [{ url: '/' }];
  const api = new OpenAPIBackend({
    definition: copy,
    quick: true,
    validate: true,
    strict: false,
    ajvOpts: { strict: false, logger: false, unicodeRegExp: false },
    customizeAjv(ajv) {
      addFormats(ajv);
      return ajv;
    },
  });
  try {
    await api.init();
  } catch {
    return undefined;
  }
  return {
    name: 'openapi-backend',
    check({ method, template, query, headers, body, path }) {
      try {
        // The validator itself parses a body that is no object.
        const isObject = typeof body.value === 'object' && body.value !== null;
        const given = body.hasBody ? { body: isObject ? body.value : body.text } : {};
        const request = { method, path, query, headers, ...given };
        const { errors } = api.validateRequest(request, ids.get(`${method} ${template}`));
        return {
          errors: (errors ?? []).map(({ instancePath, schemaPath, keyword, message, params }) => {
            return { at: instancePath, schemaPath, keyword, message, params };
          }),
        };
      } catch {
        return undefined;
      }
    },
  };
}
