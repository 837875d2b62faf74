/** A guard stands around a tool: it lets a call through, answers by itself, or looks at the outcome. */

import type { Label } from '../label/label.js';
import type { Outcome } from '../server/outcome.js';
import type { ToolContext } from '../server/tool-context.js';

export interface GuardedTool extends Label {
  /** The full name, as clients know it. */
  readonly name: string;
}

/** One call on its way in. */
export interface GuardedCall {
  readonly tool: GuardedTool;
  /** Already parsed by the tool's input schema. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
}

/** `next` runs what is further in, and never throws. */
export type Guard = (call: GuardedCall, next: () => Promise<Outcome>) => Outcome | Promise<Outcome>;

export type Run = (call: GuardedCall) => Promise<Outcome>;

/** Puts guards around what runs a tool, the first one outermost. */
export function guarded(
  run: Run,
  guards: readonly Guard[],
  whenThrown: (error: unknown, call: GuardedCall) => Outcome,
): Run {
  const safely =
    (inner: Run): Run =>
    async (call) => {
      try {
        return await inner(call);
      } catch (error) {
        return whenThrown(error, call);
      }
    };
  return guards.reduceRight<Run>(
    (inner, guard) => safely(async (call) => guard(call, () => inner(call))),
    safely(run),
  );
}
