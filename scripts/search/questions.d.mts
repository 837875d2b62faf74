import type { SearchedTool } from '@callsign/core/search';

export interface Question {
  readonly text: string;
  readonly tools: readonly string[];
  readonly isHeldOut: boolean;
}

export interface Answer extends Question {
  readonly found: readonly string[];
  /** 1 is the first; 0 if it was not found. */
  readonly place: number;
}

export type RecordedTool = SearchedTool & { readonly server: string };

export function readTools(): RecordedTool[];
export function readQuestions(): Question[];
export function askAll(questions: readonly Question[], tools: readonly RecordedTool[]): Answer[];
export function askOneServer(
  questions: readonly Question[],
  tools: readonly RecordedTool[],
): Answer[];
export function share(answers: readonly Answer[], last: number): number;
