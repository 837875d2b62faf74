/** Runs the rules over one list of tools. It checks what is written, not what the tools do. */

import { runRules, type Finding } from '@callsign/naming';

import { ownProperty } from '../hints/property.js';
import { ANNOTATION_RULES } from './annotation-rules.js';
import type { LintedTool } from './rule.js';

/** Findings for any `tools/list` answer. Never throws. The order of the tools does not matter. */
export function lintAnnotations(tools: readonly unknown[]): Finding[] {
  const listed = tools.map(readTool);
  try {
    return runRules(ANNOTATION_RULES, listed);
  } catch {
    // A getter or Proxy threw. Such a tool is checked by its name alone.
    return runRules(
      ANNOTATION_RULES,
      listed.map((tool) => (isReadable(tool) ? tool : { name: tool.name })),
    );
  }
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

/** A field that throws when it is read counts as absent. */
function readField(value: unknown, key: string): unknown {
  try {
    return ownProperty(value, key);
  } catch {
    return undefined;
  }
}

function isReadable(tool: LintedTool): boolean {
  try {
    runRules(ANNOTATION_RULES, [tool]);
    return true;
  } catch {
    return false;
  }
}
