/** Decides the endpoint of each tool of a server, with the reason and the confidence. */

import {
  type Classification,
  classify,
  type Endpoint,
  HINTS,
  type HintSet,
  type StatedHints,
} from '@callsign/effects';

import type { SourceOperation } from './operation-source.js';
import { readDefinition, type ToolDefinition } from './tool-definition.js';

/** A tool of a server with its endpoint, and the reason for it. */
export interface ClassifiedOperation extends Classification {
  readonly operation: SourceOperation;
  readonly definition: ToolDefinition;
  /** Whether the operator decided it. */
  readonly isOverridden: boolean;
}

/** The operator decides first; then the trusted hints, the name and the description. */
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
  // The label was resolved with trust already, so its hints are believed here.
  const guess = classify({ name: operation.name, annotations, description, trust: 'full' });
  return { operation, definition, isOverridden: false, ...guess };
}

/** The label of a tool that can call all of these operations: each hint has its worst value. */
export function worstHints(operations: readonly SourceOperation[]): HintSet {
  const every = (hint: keyof HintSet): boolean =>
    operations.every(({ hints }) => hints[hint].value);
  const some = (hint: keyof HintSet): boolean => operations.some(({ hints }) => hints[hint].value);
  const readOnlyHint = every('readOnlyHint');
  return {
    readOnlyHint,
    // For a read-only tool the other hints have no meaning. These values contradict none of them.
    destructiveHint: !readOnlyHint && some('destructiveHint'),
    idempotentHint: every('idempotentHint') || readOnlyHint,
    openWorldHint: some('openWorldHint'),
  };
}

/** Stated hints only: a default says nothing about the endpoint of a tool. */
function statedOnly({ hints }: SourceOperation): StatedHints {
  const stated = HINTS.filter((hint) => hints[hint].evidence.by !== 'default');
  return Object.fromEntries(stated.map((hint) => [hint, hints[hint].value]));
}
