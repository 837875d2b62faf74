// Imports every case of the truth as a document of its own, and counts what can be called before a review.
import { callVerdict } from '@callsign/mcpaql';
import { adapterFromOpenApi } from '@callsign/mcpaql/authoring';

/** A sentence that says nothing, for `measure(cases, EMPTY_TEXT)`. */
export const EMPTY_TEXT = 'Returns the result.';

/** `text` replaces every summary and description. */
export function measure(cases, text) {
  const of = (truth, ...froms) => {
    const chosen = cases.filter((each) => each.truth === truth && froms.includes(each.from));
    return { part: chosen.filter((each) => isCallable(each, text)).length, whole: chosen.length };
  };
  return {
    changes: of('changes', 'sample', 'search', 'tricky'),
    trickyReads: of('reads', 'search', 'tricky'),
    realReads: of('reads', 'sample'),
  };
}

const verdicts = new Map();

/** Whether an operation can be called before a review. */
export function isCallable({ path, operation }, text) {
  const key = JSON.stringify([path, operation, text]);
  const known = verdicts.get(key) ?? isImportedCallable(path, operation, text);
  verdicts.set(key, known);
  return known;
}

function isImportedCallable(path, operation, text) {
  const { summary, description, ...rest } = operation;
  const texts = text === undefined ? { summary, description } : { description: text };
  const { ok, resolved } = adapterFromOpenApi(
    JSON.stringify(documentOf(path, { ...texts, ...rest })),
  );
  if (!ok) return false;
  const [read] = resolved.operations.values();
  return callVerdict(read, resolved.trust).is !== 'deny';
}

function documentOf(path, { parameters = [], ...texts }) {
  const described = parameters.map(
    ({ name, in: place, style, explode, description, ...schema }) => ({
      name,
      in: place,
      required: place === 'path',
      style,
      explode,
      description,
      schema: { type: 'string', ...schema },
    }),
  );
  const get = { ...texts, parameters: described, responses: { 200: { description: 'OK' } } };
  return {
    openapi: '3.0.3',
    info: { title: 'Truth', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { [path]: { get } },
  };
}
