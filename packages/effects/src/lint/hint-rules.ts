/** Rules about hints that are stated wrongly. */

import type { Flaw } from '@callsign/naming';

import { HINTS, statedHint } from '../hints/hints.js';
import { isObject, ownProperty } from '../hints/property.js';
import type { AnnotationRule, LintedTool } from './rule.js';

export const hintNotBoolean: AnnotationRule = {
  id: 'hint-not-boolean',
  severity: 'error',
  summary: 'A hint is neither true nor false.',
  why: 'Strict clients refuse the whole list; others drop the hint and assume the worst.',
  check: (tools) => tools.flatMap(notBooleanFlaws),
};

function notBooleanFlaws({ name, annotations }: LintedTool): Flaw[] {
  if (annotations !== undefined && !isObject(annotations)) {
    const message = `The annotations are ${kindOf(annotations)}, not an object.`;
    return [{ tool: name, message, fix: 'Make "annotations" an object, or leave it out.' }];
  }
  return HINTS.flatMap((hint) => {
    const value = ownProperty(annotations, hint);
    if (value === undefined || typeof value === 'boolean') return [];
    const message = `The ${hint} is ${kindOf(value)}, not a boolean.`;
    return [{ tool: name, message, fix: `Write ${hint} as true or false, without quotes.` }];
  });
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

export const hintContradiction: AnnotationRule = {
  id: 'hint-contradiction',
  severity: 'error',
  summary: 'The tool says both that it only reads and that it destroys.',
  why: 'One client runs it without asking and another warns; neither can know which hint is true.',
  check: (tools) =>
    tools
      .filter(
        ({ annotations }) =>
          statedHint(annotations, 'readOnlyHint') === true &&
          statedHint(annotations, 'destructiveHint') === true,
      )
      .map(({ name }) => ({
        tool: name,
        message: 'States both readOnlyHint: true and destructiveHint: true.',
        fix: 'If it only reads, state destructiveHint: false; if not, readOnlyHint: false.',
      })),
};

export const hintSaysNothing: AnnotationRule = {
  id: 'hint-says-nothing',
  severity: 'info',
  summary: 'A read-only tool states an idempotentHint that adds nothing.',
  why: 'A call that changes nothing can always be repeated, so the hint adds nothing or misleads.',
  check: (tools) =>
    tools.flatMap(({ name, annotations }) => {
      const idempotent = statedHint(annotations, 'idempotentHint');
      if (statedHint(annotations, 'readOnlyHint') !== true || idempotent === undefined) return [];
      const complete = HINTS.every((hint) => statedHint(annotations, hint) !== undefined);
      // We recommend stating all four hints, so a `true` that completes them is accepted.
      if (idempotent && complete) return [];
      return [
        {
          tool: name,
          message: `States idempotentHint: ${idempotent}, which means nothing for a read-only tool.`,
          fix: 'State all four hints, with idempotentHint: true, or leave this one out.',
        },
      ];
    }),
};
