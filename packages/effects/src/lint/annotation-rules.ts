/** All annotation rules, in the order of their documentation. */

import type { Flaw } from '@callsign/naming';

import { ownProperty, ownText } from '../hints/property.js';
import { labelTool } from '../label/label.js';
import { descriptionAddressesModel } from './addressed-model-rule.js';
import { hintContradiction, hintNotBoolean, hintSaysNothing } from './hint-rules.js';
import { textInvisible } from './invisible-text-rule.js';
import {
  destructiveMissing,
  idempotentMissing,
  openWorldMissing,
  readOnlyMissing,
} from './missing-hint-rules.js';
import type { AnnotationRule, LintedTool } from './rule.js';
import { titleIsName, titleMissing, titleShared } from './title-rules.js';
import { verbAgainstHint } from './verb-rule.js';

/** A tool's own words do not contradict its claims. Reads words in the same way as the label. */
const claimAgainstWords: AnnotationRule = {
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

/** A tool has a description. addressed-model-rule.ts checks its words. */
export const descriptionMissing: AnnotationRule = {
  id: 'description-missing',
  severity: 'warning',
  summary: 'The tool has no description.',
  why: 'The model chooses tools by their descriptions; without one it guesses from the name.',
  check: (tools) =>
    tools
      .filter((tool) => ownText(tool, 'description') === undefined)
      .map(({ name }) => ({
        tool: name,
        message: 'Has no description.',
        fix: 'Say in a sentence or two what the tool does, what it needs and what it returns.',
      })),
};

/** A tool's input is an object, as the protocol requires. The content of the schema is not checked. */
export const schemaNotObject: AnnotationRule = {
  id: 'schema-not-object',
  severity: 'error',
  summary: 'The inputSchema is missing, or does not describe an object.',
  why: 'Arguments are always an object; clients drop such a tool, or the whole list with it.',
  check: (tools) =>
    tools
      .filter(({ inputSchema }) => ownProperty(inputSchema, 'type') !== 'object')
      .map(({ name, inputSchema }) => ({
        tool: name,
        message:
          inputSchema === undefined
            ? 'Has no inputSchema.'
            : 'Has an inputSchema whose type is not "object".',
        fix: 'Give it an inputSchema with "type": "object"; with no arguments that is all it needs.',
      })),
};

/** The linter runs these rules, and the documentation lists them. */
export const ANNOTATION_RULES: readonly AnnotationRule[] = Object.freeze([
  titleMissing,
  titleIsName,
  titleShared,
  readOnlyMissing,
  destructiveMissing,
  idempotentMissing,
  openWorldMissing,
  hintNotBoolean,
  hintContradiction,
  hintSaysNothing,
  verbAgainstHint,
  claimAgainstWords,
  descriptionMissing,
  descriptionAddressesModel,
  textInvisible,
  schemaNotObject,
]);
