/** Builds the error result for a handler that throws: the reason, without stack and secrets. */

import type { ToolCall } from './tool-interceptor.js';
import { errorResult, type Outcome } from '../server/outcome.js';
import { redact } from './redact.js';

/** The longest message. A model needs the reason, not a whole page. */
const MAX_LENGTH = 2000;

/**
 * The code of an error that sends the user to an address. The SDK must get that error unchanged.
 */
const URL_ELICITATION_REQUIRED = -32_042;

/** The outcome of a call that threw. An error after a cancellation counts as the cancellation. */
export function outcomeOfThrown(error: unknown, { tool, context }: ToolCall): Outcome {
  if (property(error, 'code') === URL_ELICITATION_REQUIRED) throw error;
  if (context.signal.aborted) {
    return { status: 'cancelled', result: errorResult(`${tool.name} was cancelled by client.`) };
  }
  return { status: 'failed', result: errorResult(failureText(error)) };
}

/** The message of the error and of its cause. */
export function failureText(error: unknown): string {
  const cause = wordsOf(property(error, 'cause'));
  const words = wordsOf(error) ?? 'The tool failed and did not say why.';
  const text = redact(cause === undefined || words.includes(cause) ? words : `${words}: ${cause}`);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function wordsOf(error: unknown): string | undefined {
  if (typeof error === 'string') return error.trim() || undefined;
  // Some errors have a code and no message, such as a connection that several addresses refused.
  for (const key of ['message', 'code']) {
    const words = property(error, key);
    if (typeof words === 'string' && words.trim() !== '') return words.trim();
  }
  return undefined;
}

/** Any value can be thrown, even an object whose properties throw. */
function property(value: unknown, key: string): unknown {
  try {
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)[key]
      : undefined;
  } catch {
    return undefined;
  }
}
