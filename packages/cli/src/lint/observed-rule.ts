/** The rule of `callsign lint --observe`: a claim against what the tool tried in a sandbox. */

import type { Finding, Rule } from '@callsign/naming';

import type { Context } from '../command/command.js';
import { usageFailure } from '../command/failure.js';
import { observeTools } from '../observed/observe-tools.js';
import { requireObservable } from '../observed/observed-run.js';
import type { LintTarget } from './lint-target.js';

export const OBSERVED_RULE: Omit<Rule<never>, 'check'> = {
  id: 'claim-against-observation',
  severity: 'error',
  summary: 'The tool tried something that contradicts what it claims.',
  why:
    'Clients and gateways call a tool without a question because of its hints. A tool that claims to ' +
    'be read-only and writes files does damage that no person was asked about.',
};

export interface ObservedFindings {
  readonly findings: readonly Finding[];
  readonly called: number;
}

/** Calls the tools that are said to read, in a sandbox that changes nothing and reaches nothing. */
export async function observedFindings(
  context: Context,
  { name, source }: LintTarget,
): Promise<ObservedFindings> {
  if (!source) throw usageFailure(`${name} is a list of tools: --observe needs a server to start.`);
  const server = requireObservable(source.server);
  const observed = await observeTools(context, source.config, server, {});
  const { id: rule, severity } = OBSERVED_RULE;
  const findings = observed.flatMap(({ entry, contradictions }) =>
    contradictions.map((sentence): Finding => {
      // The message follows the name of the tool.
      const message = sentence
        .replace(/^It claims/, 'Claims')
        .replace(', but it tried', ', but tried');
      return { rule, severity, tool: entry.ref.tool, message, fix: 'Correct the hint.' };
    }),
  );
  return { findings, called: observed.length };
}
