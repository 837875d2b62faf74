/** `callsign doctor`: everything that could be wrong, looked at, with what to do about it. */

import type { GatewayConfig } from '@callsign/gateway';

import type { CommandModule, Context } from '../command/command.js';
import { checkCommand, checkConfig } from '../doctor/config-checks.js';
import type { Finding } from '../doctor/finding.js';
import { checkLabels } from '../doctor/label-checks.js';
import { checkNode, checkPort, checkStorage } from '../doctor/machine-checks.js';
import { checkClock, checkNames, checkStart } from '../doctor/server-checks.js';
import { EXIT } from '../command/exit-code.js';
import { requireConsent } from '@callsign/command';
import { startsOf } from '../config-file/config-text.js';
import { openFleet } from '../fleet/fleet.js';
import { counted, printable } from '@callsign/terminal';

const TINTS = { pass: 'green', warn: 'yellow', fail: 'red' } as const;

export const command: CommandModule = {
  describe(line) {
    line.description('Looks at everything that could be wrong. Starts every server once.');
  },

  async run(context) {
    const { file, env, json, out, say } = context;
    await requireConsent(context, () => startsOf(file));
    const { config, findings: ofConfig } = await checkConfig(file, env);
    const findings = [checkNode(), checkStorage(env), ...ofConfig];
    if (config) findings.push(...(await checkServers(context, config)));
    const failed = findings.filter(({ status }) => status === 'fail').length;
    const warned = findings.filter(({ status }) => status === 'warn').length;
    if (json) out.json({ healthy: failed === 0, findings });
    else {
      for (const { check, status, message, fix } of findings) {
        out.lines(`${out.paint(TINTS[status], status)}  ${printable(`${check}: ${message}`)}`);
        if (fix !== undefined) out.lines(`      → ${printable(fix)}`);
      }
      say(`${counted(findings.length, 'check')}: ${failed} failed, ${counted(warned, 'warning')}.`);
    }
    return failed > 0 ? EXIT.usage : EXIT.ok;
  },
};

async function checkServers(context: Context, config: GatewayConfig): Promise<Finding[]> {
  const { servers, settings } = config;
  const commands = servers.filter((server) => server.transport === 'stdio').map(checkCommand);
  const fleet = await openFleet(context, config, { refresh: true });
  const remote = servers.filter((server) => server.transport !== 'stdio');
  return [
    await checkPort(settings.http),
    ...commands,
    ...fleet.servers.map((server) => checkStart(server, context.verbose)),
    ...(await Promise.all(remote.map(checkClock))).flat(),
    ...checkNames(fleet),
    ...checkLabels(fleet),
  ];
}
