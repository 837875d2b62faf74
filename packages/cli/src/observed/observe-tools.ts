/** Calls tools in a sandbox that changes nothing and reaches nothing, and says what they tried. */

import { isRecord } from '@callsign/config';
import type { Entry } from '@callsign/core';
import { definitionOfTool } from '@callsign/gateway/admin';
import {
  commandDigest,
  contradictedClaims,
  type Deed,
  type GatewayConfig,
  type Observation,
  observedDeeds,
  spelled,
  type StdioServer,
} from '@callsign/gateway/host';
import { definitionOf } from '@callsign/governance';

import type { Context } from '../command/command.js';
import { Failure, usageFailure } from '../command/failure.js';
import { EXIT } from '../command/exit-code.js';
import { notStarted } from '../fleet/not-started.js';
import { limitsHere, runObserved, type WatchedCall, type WatchedServer } from './observed-run.js';
import { madeArguments } from './made-arguments.js';

/** One tool that was called, and what was seen. */
export interface ObservedTool {
  readonly entry: Entry;
  readonly observation: Observation;
  /** The claims that it contradicts, as sentences. */
  readonly contradictions: readonly string[];
}

export interface ObserveRequest {
  /** Default: every tool that is said to read. */
  readonly tool?: string | undefined;
  /** As JSON text. Default: made from the schema, for a tool that is said to read. */
  readonly args?: string | undefined;
  /** Arguments of earlier calls, by canonical name, as JSON text. */
  readonly recorded?: ReadonlyMap<string, string> | undefined;
}

/** More calls take too long. */
const MOST = 60;

export async function observeTools(
  context: Context,
  config: GatewayConfig,
  server: StdioServer,
  { tool, args, recorded }: ObserveRequest,
): Promise<ObservedTool[]> {
  if (args !== undefined && tool === undefined)
    throw usageFailure('--args needs the name of a tool.');
  if (args !== undefined && !isObject(args)) throw usageFailure('--args takes a JSON object.');
  const sandbox = { files: 'read-only' as const, network: [] };
  // A proxy that refuses everything learns more than no network: the names of hosts.
  const asked: Deed[] = [];
  const given = ({ canonical }: Entry): string | undefined => args ?? recorded?.get(canonical);
  const work = async (watched: WatchedServer): Promise<{ entry: Entry; call: WatchedCall }[]> => {
    if (watched.failure !== undefined) throw notStarted(server.key, watched.failure);
    const chosen = chosenFrom(watched.tools, tool, given);
    const calls: { readonly entry: Entry; readonly call: WatchedCall }[] = [];
    for (const entry of chosen.slice(0, MOST)) {
      const { raw } = definitionOfTool(entry);
      const made = given(entry) ?? madeArguments(isRecord(raw) ? raw['inputSchema'] : undefined);
      calls.push({ entry, call: await watched.call(entry, made) });
    }
    return calls;
  };
  const { write } = ownLimits(context, server);
  const run = runObserved(context, config, server, sandbox, work, {
    privately: write,
    onHost(wanted) {
      asked.push({ at: Date.now() / 1_000, kind: 'asks', what: spelled(wanted) });
      return false;
    },
  });
  const { value, deeds, version } = await run;
  return value.map(({ entry, call }): ObservedTool => {
    const seen = observedDeeds([...deeds, ...asked], call.from, call.to);
    const observation: Observation = {
      server: server.key,
      tool: entry.ref.tool,
      definition: definitionOf(entry.item).hash,
      command: commandDigest(server) ?? '',
      ...(version === undefined ? {} : { version }),
      at: new Date().toISOString(),
      outcome: call.isAnswered ? 'answered' : 'failed',
      ...seen,
    };
    return { entry, observation, contradictions: contradictedClaims(entry.claim, seen) };
  });
}

/** What it may change in its usual sandbox, if it has one. */
function ownLimits(context: Context, server: StdioServer): { readonly write: readonly string[] } {
  const { sandbox } = server.settings;
  if (typeof sandbox !== 'object') return { write: [] };
  return limitsHere(context, server, sandbox);
}

function chosenFrom(
  tools: readonly Entry[],
  tool: string | undefined,
  given: (entry: Entry) => string | undefined,
): readonly Entry[] {
  const mayBeCalled = (entry: Entry): boolean => isSaidToRead(entry) || given(entry) !== undefined;
  if (tool === undefined) return tools.filter(mayBeCalled);
  const found = tools.find(({ ref, canonical }) => ref.tool === tool || canonical === tool);
  if (!found) {
    const message = `The server has no tool "${tool}". It has: ${tools.map(({ ref }) => ref.tool).join(', ')}.`;
    throw new Failure({ exit: EXIT.usage, code: 'unknown-tool', message });
  }
  if (!mayBeCalled(found)) {
    throw usageFailure(
      `${tool} is not said to read, so its arguments must come from you, --args '{…}', or from --records`,
    );
  }
  return [found];
}

/** By its server or by its own words. */
function isSaidToRead({ claim, risk }: Entry): boolean {
  return risk === 'read' || (isRecord(claim) && claim['readOnlyHint'] === true);
}

function isObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
