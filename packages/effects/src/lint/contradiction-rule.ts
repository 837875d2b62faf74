/**
 * The rule that a tool's own words do not contradict its claims. It reads words in the same way as
 * the label.
 */

import type { Flaw } from '@callsign/naming';

import { labelTool } from '../label/label.js';
import type { AnnotationRule, LintedTool } from './rule.js';
import { verbAgainstHint } from './verb-rule.js';

export const claimAgainstWords: AnnotationRule = {
  id: 'claim-against-words',
  severity: 'warning',
  summary: 'The words of the tool contradict what it claims.',
  why: 'A gateway that checks claims takes the riskier reading, and people are asked more often.',
  who: { audiences: ['Callsign'] },
  check: (tools) => tools.flatMap(contradictionFlaws),
};

/** Skips what verb-rule.ts reports with a higher severity. */
function contradictionFlaws(tool: LintedTool): Flaw[] {
  const { contradiction, hints } = labelTool(tool);
  if (!contradiction || hints[contradiction.hint].evidence.by !== 'words') return [];
  if (verbAgainstHint.check([tool]).some(({ severity }) => severity !== 'info')) return [];
  const { hint, claim, because } = contradiction;
  return [
    {
      tool: tool.name,
      message: `States ${hint}: ${claim}, but ${because}.`,
      fix: `State ${hint}: ${!claim}, or say in the description why the claim is right.`,
    },
  ];
}
