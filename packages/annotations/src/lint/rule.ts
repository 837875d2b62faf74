/** A lint rule about labels and texts, and the tools that it looks at. */

import type { Flaw, Rule } from '@callsign/lint';

/** A tool of a `tools/list` answer. Any server may write it, so only the name is known to be text. */
export interface LintedTool {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

export interface AnnotationRule extends Rule<readonly LintedTool[]> {
  check(tools: readonly LintedTool[]): readonly Flaw[];
}
