/** The tool sets of a configuration, and the tools of its servers. Starts what is not remembered. */

import type { Entry } from '@callsign/core';
import type { ToolSet } from '@callsign/governance';

import type { Context } from '../command/command.js';
import { usageFailure } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
import { setProblem } from '../config-file/set-problem.js';
import { type Fleet, warnOfFleet } from '../fleet/fleet.js';
import { offeredIn, openPlainFleet } from './plain-fleet.js';

export interface SetsOptions {
  readonly refresh?: true;
}

export interface ToolSets {
  readonly fleet: Fleet;
  /** The tools that the gateway offers. Roles are not applied. */
  readonly tools: readonly Entry[];
}

/** All sets, by name, in the order of the file. */
export async function requireSets(context: Context): Promise<Readonly<Record<string, ToolSet>>> {
  return (await requireConfig(context)).settings.sets ?? {};
}

export async function requireSet(context: Context, name: string): Promise<ToolSet> {
  const config = await requireConfig(context);
  const unknown = setProblem(name, config);
  if (unknown !== undefined) throw usageFailure(unknown);
  return config.settings.sets![name]!;
}

export async function offeredTools(context: Context, { refresh }: SetsOptions): Promise<ToolSets> {
  const config = await requireConfig(context);
  const fleet = await openPlainFleet(context, config, { refresh });
  warnOfFleet(context, fleet);
  return { fleet, tools: [...offeredIn(config, fleet).values()] };
}

/** What a set saves of the tokens of all tools, for people. */
export function savedShare(tokens: number, all: number): string {
  return all === 0 ? '' : `${Math.floor((1 - tokens / all) * 100)} %`;
}
