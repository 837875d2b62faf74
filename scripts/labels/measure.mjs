// Compares the judge with the truth. Cases that the texts leave unclear do not count.
import { EFFECT_ENDPOINTS } from '@callsign/effects';
import { callVerdict } from '@callsign/mcpaql';
import { adapterFromOpenApi } from '@callsign/mcpaql/authoring';

export function measureTools(tools) {
  const known = tools.filter(({ effect }) => effect !== undefined && effect !== 'unclear');
  const reads = known.filter(({ effect }) => effect === 'reads');
  const inferredReads = known.filter(({ inferred }) => inferred.risk === 'read');
  const inferredWrites = known.filter(({ inferred }) => inferred.risk === 'write');
  const claims = tools.filter(({ claimed }) => claimed !== undefined);
  return {
    servers: new Set(tools.map(({ server }) => server)).size,
    tools: tools.length,
    /** Of the tools inferred as read, those that read. */
    rightReads: share(inferredReads, ({ effect }) => effect === 'reads'),
    /** Of the tools that read, those inferred as read. */
    foundReads: share(reads, ({ inferred }) => inferred.risk === 'read'),
    /** Of the tools that destroy or send, those inferred as read. */
    harmfulReads: share(
      known.filter(({ effect }) => effect === 'destroys' || effect === 'sends'),
      ({ inferred }) => inferred.risk === 'read',
    ),
    /** Of the tools inferred as write, those that only add. */
    rightWrites: share(inferredWrites, ({ effect }) => effect === 'adds' || effect === 'reads'),
    /** Of the risks that follow from claims, those that the label under `checked` keeps. */
    agreedClaims: share(claims, ({ claimed, checked }) => claimed === checked.risk),
    /** Of the hints that were claimed, those that the label under `checked` keeps. */
    agreedHints: share(
      tools.flatMap(({ tool, stated, checked }) =>
        stated.map((hint) => checked.hints[hint].value === tool.annotations[hint]),
      ),
      Boolean,
    ),
  };
}

export function measureOperations(operations) {
  const known = operations.filter(({ effect }) => effect !== 'unclear');
  const gets = known.filter(isGet);
  const others = known.filter((each) => !isGet(each));
  return {
    changes: share(
      gets.filter(({ effect }) => effect !== 'reads'),
      isProven,
    ),
    reads: share(
      gets.filter(({ effect }) => effect === 'reads'),
      isProven,
    ),
    endpoints: share(others, isRight),
    changesAsReads: share(
      others.filter(({ effect }) => effect !== 'reads'),
      (each) => endpoint(each) === 'read',
    ),
    ...Object.fromEntries(
      ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [
        method,
        share(
          others.filter((each) => each.method === method),
          isRight,
        ),
      ]),
    ),
  };
}

function isGet({ method }) {
  return method === 'GET' || method === 'HEAD';
}

function isProven({ judgement }) {
  return judgement.isProvenRead;
}

function endpoint({ judgement }) {
  return EFFECT_ENDPOINTS[judgement.likely ?? 'runs'];
}

function isRight(each) {
  return endpoint(each) === EFFECT_ENDPOINTS[each.effect];
}

/** A sentence that says nothing. */
export const EMPTY_TEXT = 'Returns the result.';

/** Imports every case as a document of its own. `text` replaces every summary and description. */
export function measureImports(cases, text) {
  const of = (truth, ...froms) =>
    share(
      cases.filter((each) => each.truth === truth && froms.includes(each.from)),
      (each) => isCallable(each, text),
    );
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

function share(all, isCounted) {
  return { part: all.filter(isCounted).length, whole: all.length };
}
