/** Starts a server once before it is added, in a sandbox where there is one, to show the labels of its tools. */

import type { Secrets } from '@callsign/config';
import type { Entry } from '@callsign/core';
import {
  parseConfig,
  sandboxFault,
  type SandboxSettings,
  type ServerConfig,
} from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { configFailure } from '../config-file/config-text.js';
import { fleetOf } from '../fleet/fleet.js';
import { harvest } from '../fleet/harvest.js';

export interface FirstStart {
  readonly tools: readonly Entry[];
  /** Why it did not start. */
  readonly failure: string | undefined;
  /** What it printed last, if it did not start. */
  readonly said: readonly string[];
}

/** A download comes first. */
const START_MS = 120_000;

/** Where its package is downloaded. Nothing else can be reached, so values that it gets stay here. */
const DOWNLOADS: Readonly<Record<string, readonly string[]>> = {
  npx: ['registry.npmjs.org:443'],
  uvx: ['pypi.org:443', 'files.pythonhosted.org:443'],
};

/** Why there is no sandbox for it. `undefined`: there is one, or none is needed. */
export function noSandbox(isRemote: boolean): string | undefined {
  return isRemote ? undefined : sandboxFault();
}

/** `text`: the configuration with the server in it. Nothing of it is remembered. */
export async function startOnce(
  context: Context,
  {
    text,
    key,
    secrets,
  }: { readonly text: string; readonly key: string; readonly secrets: Secrets },
): Promise<FirstStart> {
  const { file, env } = context;
  const parsed = parseConfig(text, { file, env, secrets, isLenient: true });
  if (!parsed.ok) throw configFailure(file, parsed.problems);
  const found = parsed.config.servers.find((server) => server.key === key);
  if (!found) {
    const reason = parsed.config.unavailable?.find((each) => each.key === key)?.reason;
    return { tools: [], failure: reason ?? 'its entry cannot be used', said: [] };
  }
  const { written: _, unavailable: __, ...config } = parsed.config;
  const server = limited(found);
  const one = { ...config, servers: [server] };
  const [offered] = await harvest(context, one, [server]);
  const { failure, said = [] } = offered ?? {};
  const fleet = fleetOf(one, offered ? [offered] : [], false, undefined, env);
  return { tools: [...fleet.tools.values()], failure, said };
}

/** A local server changes no files, and reaches only what its package is downloaded from. */
function limited(server: ServerConfig): ServerConfig {
  const settings = { ...server.settings, startTimeoutMs: START_MS };
  if (server.transport !== 'stdio' || sandboxFault() !== undefined) return { ...server, settings };
  const network = [...(DOWNLOADS[server.command] ?? [])];
  const sandbox: SandboxSettings = { files: 'read-only', network };
  // npm would wait a minute before it tries a registry again that cannot be reached.
  const env = { npm_config_fetch_retries: '0', ...server.env };
  return { ...server, env, settings: { ...settings, sandbox } };
}
