/** A lint rule about labels and texts, and the tools that it checks. */

import type { Flaw, Rule } from '@callsign/naming';

/**
 * A tool of a `tools/list` answer. Servers may write anything, so only the name is known to be
 * text.
 */
export interface LintedTool {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

/** A rule that sees the whole list, since some flaws are between tools. */
export interface AnnotationRule extends Rule<readonly LintedTool[]> {
  check(tools: readonly LintedTool[]): readonly Flaw[];
}
