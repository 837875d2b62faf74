// Imports every document and counts the results.
import { adapterFromOpenApi } from '@callsign/mcpaql/authoring';
import { callVerdict } from '@callsign/mcpaql';

/** The counts over all documents, and every operation that can be called before a review. */
export function measure(documents, textOf, progress) {
  const totals = {
    documents: 0,
    notOpenApi: 0,
    imported: 0,
    refused: new Map(),
    operations: 0,
    leftOut: 0,
    endpoints: new Map(),
    methods: new Map(),
  };
  const callable = [];
  for (const [i, file] of documents.entries()) {
    if (i % 100 === 0) progress(i);
    const text = textOf(file);
    if (
      !/["']?(?:openapi|swagger)["']?\s*:/.test(text.slice(0, 20_000)) &&
      !/"(?:openapi|swagger)"/.test(text)
    ) {
      totals.notOpenApi++;
      continue;
    }
    totals.documents++;
    const result = adapterFromOpenApi(text);
    if (!result.ok) {
      const [reason = 'unknown'] = result.report.findings
        .filter(({ kind }) => kind === 'failed')
        .map(({ message }) => message.replace(/[\d,.]+ MB/, 'N MB').slice(0, 100));
      add(totals.refused, reason);
      continue;
    }
    totals.imported++;
    totals.leftOut += result.report.findings.filter(({ kind }) => kind === 'left-out').length;
    const { operations, trust } = result.resolved;
    const sources = new Map(result.report.operations.map((each) => [each.name, each.source]));
    for (const operation of operations.values()) {
      totals.operations++;
      add(totals.endpoints, operation.endpoint);
      if (callVerdict(operation, trust).is === 'deny') continue;
      const { method, path } = operation.mapsTo;
      // The report has the whole name where an operation has a short one.
      const written = path.map((part) => part.text ?? `{${part.name}}`).join('');
      add(totals.methods, method);
      callable.push({
        document: file,
        source: sources.get(operation.name) ?? `${method} ${written}`,
        name: operation.name,
        description: operation.description,
      });
    }
  }
  return { totals, callable };
}

function add(counts, key) {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** `count` elements of a list. Every run chooses the same ones. */
export function sampleOf(list, count) {
  let state = 20_261_115;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const rest = [...list];
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    return rest.splice(Math.floor(next() * rest.length), 1)[0];
  });
}
