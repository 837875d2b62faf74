/** What `serve` says about a configuration that it cannot use. */

import type { Problem } from '@callsign/config';
import type { GatewayConfig } from '@callsign/gateway/host';
import { createProfileSet } from '@callsign/naming';

import { EXIT } from '../command/exit-code.js';
import type { Complaint } from '../command/stderr.js';

/** Says that there is no such profile; `undefined` if there is. */
export function profileProblem(
  profile: string | undefined,
  { settings }: GatewayConfig,
): string | undefined {
  const profiles = createProfileSet({ own: settings.profiles });
  if (profile === undefined || profile === 'auto' || profiles.get(profile)) return undefined;
  return `There is no profile "${profile}". Known: auto, ${profiles.ids.join(', ')}.`;
}

export function unusableConfig(file: string, problems: readonly Problem[]): Complaint {
  if (problems.some(({ code }) => code === 'file-not-found')) {
    const advice = "Any client's MCP file works: callsign serve --config ~/.cursor/mcp.json";
    const message = `There is no configuration at ${file}.\n${advice}`;
    return { exit: EXIT.config, code: 'no-config', message };
  }
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const message = `The configuration has ${count}.`;
  return { exit: EXIT.config, code: 'invalid-config', message, problems };
}
