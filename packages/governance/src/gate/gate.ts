/**
 * Decides about calls: asks every module that has `sees` or `decide`, and asks them again after
 * every wait.
 */

import { CallsignError } from '@callsign/core';
import type {
  Call,
  Caller,
  Decision,
  Interceptor,
  Next,
  Parts,
  Reply,
  Target,
} from '@callsign/core';

/** Functions, since modules and items may change while a call waits. */
export interface GateOptions {
  /**
   * The modules that decide now. A reload may replace them while a call waits, so they are read
   * each time.
   */
  readonly modules: () => readonly DecidingModule[];
  /** Sends the call after a person has approved it. Rejects otherwise. */
  readonly confirm: (call: Call, next: Next) => Promise<Reply>;
  /** The item as it is listed for the caller now; `undefined` if it is not listed any more. */
  readonly current: (target: Target, caller: Caller) => Target | undefined;
}

/** A module that takes part in decisions. */
export interface DecidingModule {
  readonly name: string;
  readonly parts: Pick<Parts, 'decide' | 'sees'>;
}

/** From the weakest to the strongest. The strongest decision counts. */
const STRENGTH: readonly Decision['decision'][] = ['allow', 'confirm', 'dry-run', 'deny'];

/** The interceptor that decides. It stays synchronous as long as all modules do. */
export function gate({ modules, confirm, current }: GateOptions): Interceptor {
  return function decideCall(call, next) {
    const decided = decideAll(call, modules(), 0, undefined);
    return decided instanceof Promise
      ? decided.then((decision) => act(call, decision, next))
      : act(call, decided, next);
  };

  function act(call: Call, decision: Decision | undefined, next: Next): Promise<Reply> {
    const { context } = call;
    if (decision) context.verdict = decision;
    switch (decision?.decision) {
      case 'confirm':
        context.recheck = () => recheck(call, true);
        return confirm(call, async () => {
          const again = await decideAgain(call, true);
          return again?.decision === 'dry-run' ? again.answer!() : next();
        });
      case 'dry-run':
        return Promise.resolve(decision.answer!());
      case 'deny':
        throw denied(call, decision.rule);
      default:
        context.recheck = () => recheck(call, false);
        return next();
    }
  }

  /**
   * An approval is valid for this target, these arguments and this definition. If any of them
   * changed, the call is refused.
   */
  async function decideAgain(call: Call, isApproved: boolean): Promise<Decision | undefined> {
    const target = call.target!;
    if (current(target, call.caller)?.item.json !== target.item.json) {
      throw denied(call, 'it was changed or withdrawn while the call waited');
    }
    const decision = await decideAll(call, modules(), 0, undefined);
    const isRefused =
      decision?.decision === 'deny' || (decision?.decision === 'confirm' && !isApproved);
    if (isRefused) throw denied(call, `${decision.rule}; this changed while the call waited`);
    return decision;
  }

  /** For `context.recheck`. A dry run cannot be answered from here, so it refuses. */
  async function recheck(call: Call, isApproved: boolean): Promise<void> {
    const decision = await decideAgain(call, isApproved);
    if (decision?.decision === 'dry-run') throw denied(call, decision.rule);
  }
}

/**
 * Asks the modules in order, from an index on. Stops at the first denial. Sight is checked first: a
 * caller must not learn the decision about an item that it may not see.
 */
function decideAll(
  call: Call,
  all: readonly DecidingModule[],
  from: number,
  strongest: Decision | undefined,
): Decision | undefined | Promise<Decision | undefined> {
  let decision = strongest;
  for (let i = from; i < all.length && decision?.decision !== 'deny'; i++) {
    const { name, parts } = all[i]!;
    const seen = call.subject ?? call.target!;
    if (parts.sees?.(call.caller.principal, seen) === false) throw hidden(call, name);
    const own = parts.decide?.(call);
    if (own instanceof Promise) {
      const so = decision;
      return own.then((late) => decideAll(call, all, i + 1, added(call, name, so, late)));
    }
    decision = added(call, name, decision, own);
  }
  return decision;
}

/**
 * The stronger of the decision so far and a module's own, which is recorded with the call.
 * `undefined`: the module has no objection.
 */
function added(
  call: Call,
  module: string,
  before: Decision | undefined,
  own: Decision | undefined,
): Decision | undefined {
  if (!own) return before;
  call.context.note({ module, decision: own.decision, rule: own.rule });
  if (!before) return own;
  return STRENGTH.indexOf(own.decision) > STRENGTH.indexOf(before.decision) ? own : before;
}

function denied(call: Call, rule: string): CallsignError {
  // A module may write its rule as a sentence. The message goes on after it.
  const words = rule.replace(/\.$/, '');
  return new CallsignError('policy-denied', { tool: call.target!.canonical, rule: words });
}

function hidden({ caller, target, context }: Call, module: string): CallsignError {
  const verdict = { decision: 'deny', rule: 'it is hidden from this caller' } as const;
  context.verdict = verdict;
  context.note({ module, ...verdict });
  const name = caller.principal?.name ?? 'A caller without a credential';
  return new CallsignError('access-denied', { caller: name, tool: target!.canonical });
}
