// The recorded servers and the true labels of their tools: set by hand, or else by the server's own
// hints.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { labelTool } from '@callsign/effects';

const RECORDINGS = new URL('../../test/recordings/servers/', import.meta.url);
const TRUTH = new URL('../../test/labels/truth/', import.meta.url);

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/**
 * A third of the servers was set aside before the inference was written, by this seed and the server's key.
 * They were not read before it was done.
 */
function isHeldOut(key) {
  const digest = createHash('sha256').update(`callsign labels ${key}`).digest('hex');
  return Number.parseInt(digest.slice(0, 8), 16) % 3 === 0;
}

/** Every recorded tool with its server, its true label, and the label that Callsign gives it. */
export function readCorpus() {
  const files = readdirSync(RECORDINGS).filter((file) => file.endsWith('.json'));
  return files.toSorted().flatMap((file) => {
    const server = file.slice(0, -'.json'.length);
    const recording = JSON.parse(readFileSync(new URL(file, RECORDINGS), 'utf8'));
    const byHand = readTruth(server);
    return recording.tools.map((tool) => judged(server, recording, tool, byHand.get(tool.name)));
  });
}

function judged(server, { package: name, version }, tool, hand) {
  const stated = HINTS.filter((hint) => typeof tool.annotations?.[hint] === 'boolean');
  const silent = { ...tool, annotations: { title: tool.annotations?.title } };
  // A server that states neither of these is silent about the risk.
  const statesRisk = stated.includes('readOnlyHint') || stated.includes('destructiveHint');
  const claimed = statesRisk ? labelTool({ ...tool, trust: 'full' }).risk : undefined;
  return {
    server,
    package: name,
    version,
    isHeldOut: isHeldOut(server),
    tool,
    stated,
    /** The risk by the server's own hints; absent if the server states none. */
    claimed,
    hand: hand?.risk,
    reason: hand?.reason,
    truth: hand?.risk ?? claimed,
    inferred: labelTool(silent),
    checked: labelTool(tool),
  };
}

/** Each line has a risk, a tool and, if it is not obvious, the reason, separated by tabs. */
function readTruth(server) {
  const file = new URL(`${server}.tsv`, TRUTH);
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [risk, tool, reason] = line.split('\t');
      return [tool, { risk, reason }];
    }),
  );
}
