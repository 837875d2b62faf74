/** Runs the rules over one list of tools. It judges what is written, not what the tools really do. */

import { ownProperty } from '../property.js';
import { ANNOTATION_RULES } from './annotation-rules.js';
import type { Finding, Flaw, LintedTool, Rule } from './rule.js';

/** Findings for whatever a `tools/list` answered, in an order that does not depend on the list's. */
export function lintAnnotations(tools: readonly unknown[]): Finding[] {
  const readable = tools.map(readTool);
  return ANNOTATION_RULES.flatMap((rule) =>
    rule.check(readable).map((flaw) => findingOf(rule, flaw)),
  ).toSorted(byToolRuleAndMessage);
}

function readTool(value: unknown): LintedTool {
  const name = ownProperty(value, 'name');
  return {
    name: typeof name === 'string' ? name : '',
    title: ownProperty(value, 'title'),
    description: ownProperty(value, 'description'),
    inputSchema: ownProperty(value, 'inputSchema'),
    annotations: ownProperty(value, 'annotations'),
  };
}

function findingOf({ id, severity, who }: Rule, flaw: Flaw): Finding {
  const finding = { rule: id, severity, ...flaw };
  return who === 'all' ? finding : { ...finding, clients: who };
}

function byToolRuleAndMessage(a: Finding, b: Finding): number {
  return compare(a.tool, b.tool) || compare(a.rule, b.rule) || compare(a.message, b.message);
}

/** By code unit, so that the order is the same under every locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
