/** Starts servers to get their current tools, because remembered tools may be old. */

import type { Item } from '@callsign/core';
import type { GatewayConfig } from '@callsign/gateway/host';
import { onOneLine } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { unknownServer } from '../config-file/config-text.js';
import { harvest } from '../fleet/harvest.js';
import { howItFailed, notStarted } from '../fleet/not-started.js';

export interface OfferedTools {
  readonly server: string;
  readonly tools: readonly Item[];
  readonly prompts: readonly Item[];
  readonly templates: readonly Item[];
  readonly instructions: string | undefined;
}

/** `only`: the one server, which must start. Default: all; a failed start is only a warning. */
export async function offeredTools(
  context: Context,
  config: GatewayConfig,
  only: string | undefined,
): Promise<OfferedTools[]> {
  const open = unguarded(config);
  const wanted = open.servers.filter(({ key }) => only === undefined || key === only);
  if (only !== undefined && wanted.length === 0) throw unknownServer(only, config.servers);
  const servers = await harvest(context, open, wanted);
  return servers.flatMap(({ key, tools, prompts = [], templates = [], instructions, failure }) => {
    if (failure === undefined) return { server: key, tools, prompts, templates, instructions };
    if (only !== undefined) throw notStarted(key, failure);
    context.stderr.log('warning', `Server "${key}" ${howItFailed(onOneLine(failure))}.`);
    return [];
  });
}

/** The configuration without settings that hide, withhold or accept tools, or record calls. */
export function unguarded(config: GatewayConfig): GatewayConfig {
  const { modules: _, ...settings } = config.settings;
  const audit = { ...settings.audit, mode: 'off' as const };
  const servers = config.servers.map((server) => ({
    ...server,
    settings: { ...server.settings, view: 'flat' as const },
  }));
  return { ...config, servers, settings: { ...settings, lock: 'off', quarantine: 'off', audit } };
}
