/** Runs the rules over one list of tools. It judges what is written, not what the tools really do. */

import { ownProperty } from '../hints/property.js';
import { ANNOTATION_RULES } from './annotation-rules.js';
import type { Finding, Flaw, LintedTool, Rule } from './rule.js';

/** Findings for whatever a `tools/list` answered, in an order that does not depend on the list's. */
export function lintAnnotations(tools: readonly unknown[]): Finding[] {
  const listed = tools.map(readTool);
  try {
    return findingsIn(listed);
  } catch {
    // A getter or Proxy threw. Of such a tool only the name is left, so that it counts as unlabelled.
    return findingsIn(listed.map((tool) => (isReadable(tool) ? tool : { name: tool.name })));
  }
}

function findingsIn(tools: readonly LintedTool[]): Finding[] {
  return ANNOTATION_RULES.flatMap((rule) =>
    rule.check(tools).map((flaw) => findingOf(rule, flaw)),
  ).toSorted(byToolRuleAndMessage);
}

function readTool(value: unknown): LintedTool {
  const name = readField(value, 'name');
  return {
    name: typeof name === 'string' ? name : '',
    title: readField(value, 'title'),
    description: readField(value, 'description'),
    inputSchema: readField(value, 'inputSchema'),
    outputSchema: readField(value, 'outputSchema'),
    annotations: readField(value, 'annotations'),
  };
}

/** A field that cannot be read is absent. */
function readField(value: unknown, key: string): unknown {
  try {
    return ownProperty(value, key);
  } catch {
    return undefined;
  }
}

function isReadable(tool: LintedTool): boolean {
  try {
    findingsIn([tool]);
    return true;
  } catch {
    return false;
  }
}

function findingOf({ id, severity, who }: Rule, flaw: Flaw): Finding {
  const finding = { rule: id, severity, ...flaw };
  return who === 'all' ? finding : { ...finding, ...who };
}

function byToolRuleAndMessage(a: Finding, b: Finding): number {
  return compare(a.tool, b.tool) || compare(a.rule, b.rule) || compare(a.message, b.message);
}

/** By code unit, so that the order is the same under every locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
