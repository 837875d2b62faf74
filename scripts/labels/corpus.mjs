// What real tools and operations do, by a reader who did not build the judge, and what the judge says. Half of the servers and
// of the providers is only for measuring: never read its lines, and never tune a rule on it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { judge, labelTool } from '@callsign/effects';

const RECORDINGS = new URL('../../test/recordings/servers/', import.meta.url);
const EFFECTS = new URL('../../test/labels/effects/', import.meta.url);
const OPERATIONS = new URL('../../test/effects/operations/', import.meta.url);

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/** Chosen before the judge was written, by this seed and the server's key. */
function isMeasured(server) {
  const digest = createHash('sha256').update(`callsign effects ${server}`).digest('hex');
  return Number.parseInt(digest.slice(0, 8), 16) % 2 === 0;
}

/** Every recorded tool with the truth about it, and the labels that it gets without and with its server's claims. */
export function readTools() {
  const files = readdirSync(EFFECTS).filter((file) => file.endsWith('.tsv'));
  return files.toSorted().flatMap((file) => {
    const server = file.slice(0, -'.tsv'.length);
    const { tools } = JSON.parse(readFileSync(new URL(`${server}.json`, RECORDINGS), 'utf8'));
    const effects = new Map(
      linesOf(new URL(file, EFFECTS)).map((line) => {
        const [effect, tool] = line.split('\t');
        return [tool, effect];
      }),
    );
    return tools.map((tool) => judgedTool(server, tool, effects.get(tool.name)));
  });
}

function judgedTool(server, tool, effect) {
  const stated = HINTS.filter((hint) => typeof tool.annotations?.[hint] === 'boolean');
  const silent = { ...tool, annotations: { title: tool.annotations?.title } };
  // A server that states neither of these says nothing about the risk.
  const statesRisk = stated.includes('readOnlyHint') || stated.includes('destructiveHint');
  return {
    server,
    isMeasured: isMeasured(server),
    tool,
    effect,
    stated,
    claimed: statesRisk ? labelTool({ ...tool, trust: 'full' }).risk : undefined,
    inferred: labelTool(silent),
    checked: labelTool(tool),
  };
}

/** Every HTTP operation with the truth about it, and what the judge says. */
export function readOperations() {
  return ['build', 'measured'].flatMap((half) =>
    linesOf(new URL(`${half}.jsonl`, OPERATIONS)).map((line) => {
      const { effect, method, path, operationId, summary, description, ...rest } = JSON.parse(line);
      const parameters = [
        ...(rest.parameters ?? []).map(parameterOf),
        ...(rest.body ?? []).map((name) => ({ name, values: [], isListed: false })),
      ];
      const operation = { name: operationId ?? '', summary, description, parameters };
      const judgement = judge({ ...operation, http: { method, path } });
      return {
        effect,
        method,
        path,
        name: operationId,
        isMeasured: half === 'measured',
        judgement,
      };
    }),
  );
}

function parameterOf({ name, in: place, type, description, enum: listed, items }) {
  const values = [...(listed ?? []), ...(items?.enum ?? [])].filter(
    (value) => typeof value === 'string',
  );
  return { name, place, type, description, values, isListed: values.length > 0 };
}

function linesOf(file) {
  return readFileSync(file, 'utf8').trim().split('\n');
}
