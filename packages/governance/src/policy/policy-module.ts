/** The policy as a module: decides about calls by their labels and arguments. */

import type { Module, Target } from '@callsign/core';

import { describedCall } from './dry-run.js';
import { createPolicy, type PolicyOptions } from './policy.js';
import { POLICY_SETTINGS, type PolicySettings } from './policy-settings.js';

/** With `readOnly` it is in the path even if no policy is configured. */
export function policyModule({
  readOnly = false,
}: PolicyOptions): Module<PolicySettings | undefined> {
  return {
    name: 'policy',
    create({ settings: configured }) {
      const settings = configured ?? (readOnly ? onlyReads() : undefined);
      if (settings === undefined) return undefined;
      const policy = createPolicy(settings, { readOnly });
      // A tool that shows other tools may lead to one whose calls wait.
      const mayWait = (target: Target): boolean =>
        target.isView === true || policy.mayConfirm(target);
      return {
        ...(letsCallsWait(settings) ? { mayWait } : {}),
        decide(call) {
          const verdict = policy.judge(call.target!, call.caller, call);
          return verdict.decision === 'dry-run'
            ? { ...verdict, answer: () => describedCall(call, settings.redact) }
            : verdict;
        },
        denies(target) {
          const standing = policy.standing(target);
          return standing?.decision === 'deny' ? standing.rule : undefined;
        },
      };
    },
  };
}

function letsCallsWait(settings: PolicySettings): boolean {
  const { read, write, destructive, openWorld, contradiction, rules, dryRun, confirm } = settings;
  const decisions = [read, write, destructive, openWorld, contradiction];
  const all = [...decisions, ...rules.map(({ decision }) => decision)];
  return confirm.whenClientCannotAsk !== 'refuse' && !dryRun && all.includes('confirm');
}

/** The policy if `--read-only` is set and no policy is configured. */
function onlyReads(): PolicySettings {
  return POLICY_SETTINGS.parse({ destructive: 'allow' });
}
