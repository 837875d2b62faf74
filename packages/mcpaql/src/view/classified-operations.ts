/** Where each tool of a server belongs among the five endpoints, why, and how sure that is. */

import {
  type Classification,
  classify,
  type Endpoint,
  HINTS,
  type HintSet,
  type StatedHints,
} from '@callsign/annotations';

import { readDefinition, type ToolDefinition } from './tool-definition.js';
import type { SourceOperation } from './operation-source.js';

export interface ClassifiedOperation extends Classification {
  readonly operation: SourceOperation;
  readonly definition: ToolDefinition;
  /** Whether the operator said so. */
  readonly isOverridden: boolean;
}

/** The operator's word goes first; then what counts of the hints, the name, the description. */
export function classifyOperation(
  operation: SourceOperation,
  overrides: ReadonlyMap<string, Endpoint>,
): ClassifiedOperation {
  const definition = readDefinition(operation.item);
  const chosen = overrides.get(operation.name);
  if (chosen !== undefined) {
    const because = 'the configuration says so';
    return {
      operation,
      definition,
      isOverridden: true,
      endpoint: chosen,
      confidence: 'high',
      because,
    };
  }
  const { description } = definition;
  const annotations = statedOnly(operation);
  // What counts was resolved with trust already, so it is believed here.
  const guess = classify({ name: operation.name, annotations, description, trust: 'full' });
  return { operation, definition, isOverridden: false, ...guess };
}

/** The label of a tool with these operations behind it: each hint as bad as its worst. */
export function worstHints(operations: readonly SourceOperation[]): HintSet {
  const every = (hint: keyof HintSet): boolean =>
    operations.every(({ hints }) => hints[hint].value);
  const some = (hint: keyof HintSet): boolean => operations.some(({ hints }) => hints[hint].value);
  const readOnlyHint = every('readOnlyHint');
  return {
    readOnlyHint,
    // For a tool that only reads the other hints have no meaning; the quiet values contradict nobody.
    destructiveHint: !readOnlyHint && some('destructiveHint'),
    idempotentHint: every('idempotentHint') || readOnlyHint,
    openWorldHint: some('openWorldHint'),
  };
}

/** Hints that somebody stated; a default says nothing about where a tool belongs. */
function statedOnly({ hints }: SourceOperation): StatedHints {
  const stated = HINTS.filter((hint) => hints[hint].evidence.by !== 'default');
  return Object.fromEntries(stated.map((hint) => [hint, hints[hint].value]));
}
