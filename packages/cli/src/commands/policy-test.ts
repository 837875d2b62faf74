/** `callsign policy test`: shows the decision about a call, and its rule. Calls nothing. */

import type { Entry, Principal, Verdict } from '@callsign/core';
import type { GatewayConfig } from '@callsign/gateway/host';
import { createPolicy, roleRefusal } from '@callsign/governance';
import { type Meaning, onOneLine } from '@callsign/terminal';

import { readArguments } from '../call/call-arguments.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { readRequired, serverNamed } from '../config-file/required-config.js';
import { findTool, unknownTool } from '../fleet/find-tool.js';
import type { Fleet } from '../fleet/fleet.js';
import { SELF } from '../fleet/running-gateway.js';
import { isSwitchedOff, withheldIn } from '../fleet/withheld.js';
import { isOffered, openPlainFleet } from '../governed/plain-fleet.js';

interface TestOptions {
  readonly as?: string;
  readonly client?: string;
  readonly args?: string;
  readonly refresh?: true;
}

/** The caller to test with. */
interface Imagined {
  readonly principal: Principal | undefined;
  readonly client: { readonly name: string; readonly version: string };
}

const TINTS: Readonly<Record<Verdict['decision'], Meaning>> = {
  allow: 'good',
  confirm: 'warning',
  'dry-run': 'warning',
  deny: 'bad',
};

const NO_POLICY: Verdict = { decision: 'allow', rule: 'there is no policy' };

export const command: CommandModule<TestOptions> = {
  describe(line) {
    line
      .description(
        'Shows the decision about a call, and the rule behind it. Calls nothing. ' +
          'Exits with 7 if the call would be denied.',
      )
      .argument('<name>', 'any of its names: server:tool, or as a client shows it')
      .option(
        '--as <roles>',
        'the roles of the caller, separated by commas (default: an anonymous caller)',
      )
      .option('--client <name>', 'the name that the client announces')
      .option('--args <json>', 'the arguments as a JSON object')
      .option('--refresh', 'start the servers instead of using remembered tools');
  },

  async run(context, { words: [spelling = ''], options }) {
    const { config, warn } = await readRequired(context);
    const only = serverNamed(spelling, config);
    warn(only);
    const caller = imagined(config, options);
    const params = paramsOf(options.args);
    const plain = await openPlainFleet(context, config, { refresh: options.refresh, only });
    const fleet = { ...plain, withheld: await withheldIn(context, config, plain.servers) };
    const entry = findTool(fleet, spelling);
    if (!entry) throw unknownTool(fleet, spelling);
    const verdict = verdictOn(config, fleet, entry, caller, params);
    show(context, entry, caller, verdict);
    return verdict.decision === 'deny' ? EXIT.denied : EXIT.ok;
  },
};

function imagined({ settings }: GatewayConfig, { as, client = SELF.name }: TestOptions): Imagined {
  const roles = as?.split(',').map((role) => role.trim());
  const known = Object.keys(settings.roles ?? {});
  const unknown = settings.roles && roles?.find((role) => !known.includes(role));
  if (unknown !== undefined) {
    throw usageFailure(`There is no role "${unknown}". Roles: ${known.join(', ') || 'none'}.`);
  }
  return {
    principal: roles && { name: '', roles },
    client: { name: client, version: '' },
  };
}

function paramsOf(args: string | undefined): string {
  return `{"arguments":${readArguments({ words: [], whole: args }, [])}}`;
}

/** Checks in the order of the gateway: offered, not withheld, visible to the caller, allowed by policy. */
function verdictOn(
  config: GatewayConfig,
  fleet: Fleet,
  entry: Entry,
  { principal, client }: Imagined,
  params: string,
): Verdict {
  const { policy } = config.settings;
  if (isSwitchedOff(config, entry.ref)) {
    return { decision: 'deny', rule: `mcpServers.${entry.ref.server} switches it off` };
  }
  if (!isOffered(config, fleet, entry.canonical)) {
    return { decision: 'deny', rule: 'callsign.tools does not offer it' };
  }
  const withheld = fleet.withheld.get(entry.canonical);
  if (withheld !== undefined) return { decision: 'deny', rule: `it is withheld: ${withheld}` };
  const refusal = roleRefusal(config.settings, principal, entry);
  if (refusal !== undefined) return { decision: 'deny', rule: refusal };
  return policy ? createPolicy(policy).judge(entry, { principal, client }, { params }) : NO_POLICY;
}

function show(
  { json, out }: Context,
  { canonical, risk }: Entry,
  { principal, client }: Imagined,
  { decision, rule }: Verdict,
): void {
  if (json) {
    const roles = principal?.roles ?? null;
    out.json({ tool: canonical, risk, roles, client: client.name, decision, rule });
    return;
  }
  const { paint } = out;
  out.lines(
    `${paint('name', onOneLine(canonical))} (${paint(risk, risk)})`,
    `${paint(TINTS[decision], decision)}: ${onOneLine(rule)}`,
  );
}
