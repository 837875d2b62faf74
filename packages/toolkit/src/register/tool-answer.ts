/** Turns what a handler returns into a result: a result of the protocol, a text, or data. */

import type { ToolResult } from '../server/sdk-server.js';

/** Data for programs. An object with one of these members is a result of the protocol instead. */
export type ToolData = object & {
  readonly content?: never;
  readonly structuredContent?: never;
  readonly isError?: never;
  readonly resultType?: never;
};

/** What a handler may return. Anything else, such as a number or a list, is an error. */
export type ToolAnswer = ToolResult | ToolData | string;

/** A value that JSON turns into `Data`: a date where a text is wanted. */
export type AsJson<Data> = Data extends string
  ? Data | { toJSON(): Data }
  : Data extends object
    ? { [Key in keyof Data]: AsJson<Data[Key]> }
    : Data;

/**
 * A text becomes one block. Data becomes structured content, and also text for clients that read
 * only text.
 */
export function resultOf(answer: ToolAnswer, tool: string): ToolResult {
  if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] };
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new TypeError(
      `The handler of ${tool} returned ${described(answer)}. Return a string, an object, or a result with content.`,
    );
  }
  if (isResult(answer)) return answer;
  const text = JSON.stringify(answer);
  return {
    content: [{ type: 'text', text }],
    // Dates and similar values are converted as by JSON.
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}

function isResult(answer: object): answer is ToolResult {
  return ['content', 'structuredContent', 'isError', 'resultType'].some((key) => key in answer);
}

function described(answer: unknown): string {
  if (Array.isArray(answer)) return 'a list';
  return answer === undefined || answer === null ? 'nothing' : `a ${typeof answer}`;
}
