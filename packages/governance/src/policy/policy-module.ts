/** The policy as a module: decides about calls by their labels and arguments. */

import {
  type Module,
  type Target,
  type Call,
  memberText,
  type Reply,
  resultOf,
  redactArguments,
  type RedactOptions,
} from '@callsign/core';

import { POLICY_SETTINGS, type PolicySettings } from './policy-settings.js';
import { createPolicy, type PolicyOptions } from './policy.js';

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

/**
 * A result and not an error, since nothing failed. It is marked as an error only if the tool
 * promises structured output: clients refuse a result without it, and there is none.
 */
export function describedCall(call: Call, redact: RedactOptions): Reply {
  const { canonical, item } = call.target!;
  const given = call.argumentsJson ?? '{}';
  const shown = redactArguments(given, memberText(item.json, 'inputSchema'), redact);
  const text = `Dry run: ${canonical} was not called. It would have been called with ${shown}`;
  const result = resultOf({
    content: [{ type: 'text', text }],
    isError: memberText(item.json, 'outputSchema') !== undefined,
    _meta: { 'callsign/dry-run': true },
  });
  return { ...result, isDryRun: true };
}
