/**
 * The rule that a tool's input is an object, as the protocol requires. The content of the schema is
 * not checked.
 */

import { ownProperty } from '../hints/property.js';
import type { AnnotationRule } from './rule.js';

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
