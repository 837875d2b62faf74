/** The rule that a tool has a description. addressed-model-rule.ts checks its words. */

import { ownText } from '../hints/property.js';
import type { AnnotationRule } from './rule.js';

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
