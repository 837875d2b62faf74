// One document: calls every operation in several ways, and sorts what a validator or the adapter refuses.
import { argumentsOf, KINDS } from './arguments.mjs';
import { judgesFor } from './judges.mjs';
import { serveDocument } from './served.mjs';
import { sorted } from './sorted.mjs';

export async function compareDocument(file, text, definition) {
  const result = {
    file,
    operations: 0,
    requests: 0,
    accepted: 0,
    split: 0,
    unread: 0,
    differences: [],
  };
  const served = await serveDocument(text);
  if (!served) return { ...result, isImported: false };
  try {
    const judge = await judgesFor(definition);
    const readOnly = readOnlyIn(definition);
    for (const operation of served.operations) {
      result.operations++;
      const source = served.sourceOf(operation.name);
      for (const kind of KINDS) {
        const params = argumentsOf(operation, kind);
        const { request, error } = await served.send(operation.name, params);
        const verdict = request && (await judge(source, request));
        if (request) result.requests++;
        if (verdict?.accepts.length > 0) {
          result.accepted++;
          if (verdict.refuses.length > 0) result.split++;
          continue;
        }
        if (verdict && verdict.refuses.length === 0) {
          result.unread++;
          continue;
        }
        const found = {
          file,
          source,
          kind,
          params,
          operation,
          readOnly,
          request,
          error: error ?? verdict.errors,
        };
        const { method, url } = request ?? { method: '', url: '' };
        result.differences.push({
          file,
          source,
          kind,
          url: `${method} ${url}`,
          error: found.error,
          ...sorted(found),
        });
      }
    }
  } finally {
    await served.close();
  }
  return { ...result, isImported: true };
}

/** The properties that only answers have. */
function readOnlyIn(value, names = new Set()) {
  if (typeof value !== 'object' || value === null) return names;
  for (const [key, property] of Object.entries(value.properties ?? {})) {
    if (property?.readOnly === true) names.add(key);
  }
  for (const inner of Object.values(value)) readOnlyIn(inner, names);
  return names;
}
