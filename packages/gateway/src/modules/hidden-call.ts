/** A call to an item that is hidden from its caller. It is refused before any interceptor, and observed. */

import type { Call, ModuleVerdict, Parts, Target } from '@callsign/core';

interface NamedParts {
  readonly name: string;
  readonly parts: Pick<Parts, 'admits' | 'sees' | 'observe'>;
}

/** Observers get the call as one that was denied. */
export function endHidden(call: Call, target: Target, modules: readonly NamedParts[]): void {
  const verdict = whyHidden(call, target, modules);
  call.context.verdict = { decision: verdict.decision, rule: verdict.rule };
  call.context.note(verdict);
  const observers = modules.flatMap(({ parts }) => parts.observe ?? []);
  for (const observer of observers) observer.begin?.(call);
  const startedAt = performance.now();
  for (const observer of observers)
    observer.end({ call, outcome: 'access-denied', startedAt, ms: 0, waitedMs: 0, size: 0 });
}

function whyHidden(
  { caller: { principal } }: Call,
  target: Target,
  modules: readonly NamedParts[],
): ModuleVerdict {
  for (const { name, parts } of modules) {
    const admitted = parts.admits?.(target) ?? true;
    if (admitted !== true) return { module: name, decision: 'deny', rule: admitted };
    if (parts.sees?.(principal, target) === false) return hiddenBy(name);
  }
  return hiddenBy('gateway');
}

function hiddenBy(module: string): ModuleVerdict {
  return { module, decision: 'deny', rule: 'it is hidden from this caller' };
}
