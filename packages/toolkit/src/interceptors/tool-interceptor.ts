/** An interceptor stands around a tool: it lets a call through, answers by itself, or looks at the outcome. */

import type { Label } from '../label/label.js';
import type { Outcome } from '../server/outcome.js';
import type { ToolContext } from '../server/tool-context.js';

export interface CalledTool extends Label {
  /** The full name, as clients know it. */
  readonly name: string;
}

/** One call on its way in. */
export interface ToolCall {
  readonly tool: CalledTool;
  /** Already parsed by the tool's input schema. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
}

/** `next` runs what is further in, and never throws. */
export type ToolInterceptor = (
  call: ToolCall,
  next: () => Promise<Outcome>,
) => Outcome | Promise<Outcome>;

export type Run = (call: ToolCall) => Promise<Outcome>;

/** Puts interceptors around what runs a tool, the first one outermost. */
export function intercepted(
  run: Run,
  interceptors: readonly ToolInterceptor[],
  whenThrown: (error: unknown, call: ToolCall) => Outcome,
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
  return interceptors.reduceRight<Run>(
    (inner, interceptor) => safely(async (call) => interceptor(call, () => inner(call))),
    safely(run),
  );
}
