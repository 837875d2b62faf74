import type { Outcome } from '@callsign/core';

/** The value of `error.type`. The conventions for MCP have a word of their own for a tool's error. */
export function errorType(outcome: Outcome): string {
  return outcome === 'tool-error' ? 'tool_error' : outcome;
}
