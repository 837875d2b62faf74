// Records what our Lightdash client needs to know of Lightdash's API: methods, paths, parameters, and the types of bodies
// and results, but no text. Usage: record-lightdash.mjs SWAGGER_JSON [VERSION], with the file
// packages/backend/src/generated/swagger.json of Lightdash. Writes packages/lightdash/src/testing/lightdash-api.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OUT = fileURLToPath(
  new URL('../packages/lightdash/src/testing/lightdash-api.json', import.meta.url),
);
/** The part of the API that the sandbox has; its tests say which of it a tool must not use. */
const ROUTES = [
  'GET /api/v1/org/projects',
  'GET /api/v1/org/users',
  'GET /api/v1/org/users/{userUuid}',
  'DELETE /api/v1/org/user/{userUuid}',
  'GET /api/v1/org/groups',
  'POST /api/v1/org/groups',
  'GET /api/v1/groups/{groupUuid}',
  'PATCH /api/v1/groups/{groupUuid}',
  'DELETE /api/v1/groups/{groupUuid}',
  'GET /api/v1/projects/{projectUuid}',
  'GET /api/v1/projects/{projectUuid}/charts',
  'GET /api/v1/projects/{projectUuid}/dashboards',
  'GET /api/v1/projects/{projectUuid}/spaces',
  'POST /api/v1/projects/{projectUuid}/spaces',
  'GET /api/v1/projects/{projectUuid}/spaces/{spaceUuid}',
  'POST /api/v1/projects/{projectUuid}/spaces/{spaceUuid}/share',
  'DELETE /api/v1/projects/{projectUuid}/spaces/{spaceUuid}/share/{userUuid}',
  'POST /api/v1/projects/{projectUuid}/spaces/{spaceUuid}/group/share',
  'DELETE /api/v1/projects/{projectUuid}/spaces/{spaceUuid}/group/share/{groupUuid}',
  'GET /api/v1/projects/{projectUuid}/code/charts',
  'GET /api/v1/projects/{projectUuid}/charts/code',
  'POST /api/v1/projects/{projectUuid}/code/charts/{slug}',
  'POST /api/v1/projects/{projectUuid}/charts/{slug}/code',
  'GET /api/v1/projects/{projectUuid}/code/dashboards',
  'GET /api/v1/projects/{projectUuid}/dashboards/code',
  'POST /api/v1/projects/{projectUuid}/code/dashboards/{slug}',
  'POST /api/v1/projects/{projectUuid}/dashboards/{slug}/code',
  'GET /api/v2/content',
  'GET /api/v1/projects/{projectUuid}/explores',
  'GET /api/v1/projects/{projectUuid}/explores/{exploreId}',
  'POST /api/v1/projects/{projectUuid}/explores/{exploreId}/compileQuery',
  'GET /api/v1/projects/{projectUuid}/dataCatalog/metrics',
  'POST /api/v2/projects/{projectUuid}/query/metric-query',
  'POST /api/v2/projects/{projectUuid}/query/chart',
  'POST /api/v2/projects/{projectUuid}/query/sql',
  'POST /api/v2/projects/{projectUuid}/query/field-values',
  'GET /api/v2/projects/{projectUuid}/query/{queryUuid}',
  'POST /api/v2/projects/{projectUuid}/query/{queryUuid}/cancel',
  'GET /api/v1/projects/{projectUuid}/tags',
  'GET /api/v1/schedulers/{projectUuid}/list',
  'POST /api/v1/projects/{projectUuid}/validate',
  'GET /api/v1/projects/{projectUuid}/validate',
  'GET /api/v2/projects/{projectUuid}/validate',
];
/** Objects inside of so many others are only called objects: no tool looks into them. */
const DEPTH = 3;

const [file, version] = process.argv.slice(2);
const document = JSON.parse(readFileSync(file, 'utf8'));
const schemas = document.components.schemas;

const routes = Object.fromEntries(ROUTES.map((name) => [name, factsOf(name)]));
const facts = { lightdash: version ?? document.info.version, routes };
writeFileSync(OUT, `${JSON.stringify(facts)}\n`);

function factsOf(name) {
  const [method, path] = name.split(' ');
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The document has no ${name}.`);
  const query = (operation.parameters ?? []).filter((each) => each.in === 'query');
  const body = operation.requestBody?.content['application/json'].schema;
  const answer = operation.responses['200'].content['application/json'].schema;
  const { results } = typeOf(answer, DEPTH + 1).fields;
  return {
    ...(operation.deprecated && { isDeprecated: true }),
    ...(query.length > 0 && {
      query: Object.fromEntries(
        query.map((each) => [`${each.name}${each.required ? '' : '?'}`, typeOf(each.schema, 1)]),
      ),
    }),
    ...(body && { body: typeOf(body, 2) }),
    ...(results !== undefined && { results }),
  };
}

/** A word, or an object with one key: `enum`, `list`, `map`, `fields` or `oneOf`. A `?` marks what may be left out. */
function typeOf(schema, depth, inside = []) {
  if (schema.nullable)
    return oneOf([typeOf({ ...schema, nullable: false }, depth, inside), 'null']);
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1);
    return inside.includes(name) ? 'any' : typeOf(schemas[name], depth, [...inside, name]);
  }
  if (schema.enum) {
    const values = schema.enum.filter((each) => each !== null);
    if (values.length < schema.enum.length) {
      return values.length === 0 ? 'null' : oneOf([{ enum: values }, 'null']);
    }
    return { enum: values };
  }
  if (schema.allOf) {
    return schema.allOf.map((each) => typeOf(each, depth, inside)).reduce(both);
  }
  const some = schema.anyOf ?? schema.oneOf;
  if (some) return oneOf(some.map((each) => typeOf(each, depth, inside)));
  if (schema.type === 'array') return { list: typeOf(schema.items, depth, inside) };
  if (schema.type !== 'object') return schema.type ?? 'any';
  const { properties = {}, required = [], additionalProperties } = schema;
  if (typeof additionalProperties === 'object' && Object.keys(properties).length === 0) {
    return { map: typeOf(additionalProperties, depth, inside) };
  }
  if (depth === 0 || Object.keys(properties).length === 0) return 'object';
  return {
    fields: Object.fromEntries(
      Object.keys(properties)
        .toSorted()
        .map((name) => [
          required.includes(name) ? name : `${name}?`,
          typeOf(properties[name], depth - 1, inside),
        ]),
    ),
  };
}

/** Without repeated types, and without unions in unions. */
function oneOf(types) {
  const flat = types.flatMap((type) => type.oneOf ?? [type]);
  const different = [...new Map(flat.map((type) => [JSON.stringify(type), type])).values()];
  if (different.includes('any')) return 'any';
  return different.length === 1 ? different[0] : { oneOf: different };
}

/** All fields of both. Of unions, each pair. */
function both(one, other) {
  if (one === 'any' || one === 'object') return other;
  if (other === 'any' || other === 'object') return one;
  if (one.oneOf) return oneOf(one.oneOf.map((each) => both(each, other)));
  if (other.oneOf) return oneOf(other.oneOf.map((each) => both(one, each)));
  return { fields: { ...one.fields, ...other.fields } };
}
