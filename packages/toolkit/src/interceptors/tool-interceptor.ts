/** An interceptor runs around a tool: it lets a call pass, answers it, or reads its outcome. */

import type { Label } from '../label/label.js';
import type { Outcome } from '../server/outcome.js';
import type { ToolContext } from '../server/tool-context.js';

/** The tool of a call, with the label that it was registered with. */
export interface CalledTool extends Label {
  /** The full name that clients see. */
  readonly name: string;
}

/** One call. */
export interface ToolCall {
  readonly tool: CalledTool;
  /** Already parsed by the tool's input schema. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
}

/** `next` runs the next interceptor or the tool, and never throws. */
export type ToolInterceptor = (
  call: ToolCall,
  next: () => Promise<Outcome>,
) => Outcome | Promise<Outcome>;

/** Runs a call to its end: the handler, or the handler with interceptors around it. */
export type Run = (call: ToolCall) => Promise<Outcome>;

/** Puts interceptors around a tool's handler, the first one outermost. */
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
