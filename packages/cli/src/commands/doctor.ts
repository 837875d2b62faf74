/** `callsign doctor`: checks the machine, the configuration and all servers, and gives advice. */

import { type Environment, type GatewayConfig, tryStorage } from '@callsign/gateway/host';
import { counted, hanging, printable } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { requireConsent } from '../config-file/config-consent.js';
import { checkCommand, checkConfig } from '../doctor/config-checks.js';
import { fail, type Finding, pass } from '../doctor/finding.js';
import { checkLabels, checkRoles, checkWithheld } from '../doctor/label-checks.js';
import { checkNode, checkPort, checkStorage } from '../doctor/machine-checks.js';
import { checkClock, checkNames, checkStart } from '../doctor/server-checks.js';
import { openFleet } from '../fleet/fleet.js';

const MEANINGS = { pass: 'good', warn: 'warning', fail: 'bad' } as const;

export const command: CommandModule = {
  describe(line) {
    line.description(
      'Checks this machine, the configuration, the database of its storage and all servers. Starts every server once.',
    );
  },

  async run(context) {
    const { file, env, json, out, say } = context;
    const bytes = await requireConsent(context);
    const { config, findings: ofConfig } = await checkConfig(file, env, bytes);
    const findings = [checkNode(), checkStorage(env), ...ofConfig];
    if (config) {
      const ofDatabase = await checkDatabase(config, env);
      const isUsable = ofDatabase.every(({ status }) => status === 'pass');
      const ofServers = await checkServers(context, isUsable ? config : withoutStorage(config));
      findings.push(...ofDatabase, ...ofServers);
    }
    const shown = findings.map(({ fix, message, ...rest }) => ({
      ...rest,
      message: context.copyable(message),
      ...(fix === undefined ? {} : { fix: context.copyable(fix) }),
    }));
    const failed = findings.filter(({ status }) => status === 'fail').length;
    const warned = findings.filter(({ status }) => status === 'warn').length;
    if (json) out.json({ healthy: failed === 0, findings: shown });
    else {
      for (const finding of shown) writeFinding(context, finding);
      say(`${counted(findings.length, 'check')}: ${failed} failed, ${counted(warned, 'warning')}.`);
    }
    return failed > 0 ? EXIT.usage : EXIT.ok;
  },
};

/** Servers can be checked without the database. The lock is in the database, so it is left out too. */
function withoutStorage(config: GatewayConfig): GatewayConfig {
  const { storage: _, instances: _instances, ...settings } = config.settings;
  return { ...config, settings: { ...settings, lock: 'off' } };
}

const INDENT = '      ';

function writeFinding({ out }: Context, { check, status, message, fix, said = [] }: Finding): void {
  const text = hanging(printable(`${check}: ${message}`), out.width, INDENT);
  out.lines(`${out.paint(MEANINGS[status], status)}  ${text}`);
  for (const line of said) {
    const words = hanging(`it said: ${printable(line)}`, out.width, INDENT);
    out.lines(INDENT + out.paint('aside', words));
  }
  if (fix !== undefined) out.lines(INDENT + hanging(`→ ${printable(fix)}`, out.width, INDENT));
}

async function checkServers(context: Context, config: GatewayConfig): Promise<Finding[]> {
  const { servers, settings } = config;
  const commands = servers
    .filter((server) => server.transport === 'stdio')
    .map((server) => checkCommand(server, context));
  const isMissing = (key: string): boolean =>
    commands.some(({ check, status }) => status === 'fail' && check === `${key}: command`);
  const fleet = await openFleet(context, config, { refresh: true });
  const remote = servers.filter((server) => server.transport !== 'stdio');
  return [
    await checkPort(settings.http),
    ...commands,
    // Without its program, the start of a server says nothing new.
    ...fleet.servers.filter(({ key }) => !isMissing(key)).map(checkStart),
    ...(await Promise.all(remote.map(checkClock))).flat(),
    ...checkNames(fleet),
    ...checkLabels(fleet),
    ...checkWithheld(fleet),
    ...checkRoles(fleet),
  ];
}

/** Tries the database that instances share. */
async function checkDatabase(
  { settings: { storage }, secrets }: Pick<GatewayConfig, 'settings' | 'secrets'>,
  env: Environment,
): Promise<Finding[]> {
  if (!storage) return [];
  const problem = await tryStorage(storage, { env, secrets });
  return [
    problem
      ? fail('database', problem.message, problem.advice)
      : pass('database', 'an instance can use it'),
  ];
}
