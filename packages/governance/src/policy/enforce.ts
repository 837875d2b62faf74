/** The interceptor that does what the policy says. Made once: what it remembers outlives a reload. */

import { type Call, HouseError, type Interceptor, type Next, type Reply } from '@callsign/core';

import { Confirmation, type ConfirmationOptions } from './confirmation.js';
import { describedCall } from './dry-run.js';
import type { Policy } from './policy.js';

export interface EnforceOptions extends ConfirmationOptions {
  /** The policy of the moment. */
  readonly policy: () => Policy;
}

export function enforce(options: EnforceOptions): Interceptor {
  const { policy, settings } = options;
  const confirmation = new Confirmation(options);
  return enforcePolicy;

  function enforcePolicy(call: Call, next: Next): Promise<Reply> {
    const judge = policy();
    const target = call.target!;
    const verdict = judge.judge(target, call.caller, call);
    call.verdict = verdict;
    switch (verdict.decision) {
      case 'allow':
        return next();
      case 'confirm':
        // Who was asked under one policy may come back under another.
        return confirmation.confirm(call, () =>
          policy() === judge || isApproved(call) ? next() : enforcePolicy(call, next),
        );
      case 'dry-run':
        return Promise.resolve(describedCall(call, settings().redact));
      case 'deny':
        throw new HouseError('policy-denied', { tool: target.canonical, rule: verdict.rule });
    }
  }

  /** Whether a call that was approved may be made under the policy of now. */
  function isApproved(call: Call): boolean {
    const { decision } = policy().judge(call.target!, call.caller, call);
    return decision === 'allow' || decision === 'confirm';
  }
}
