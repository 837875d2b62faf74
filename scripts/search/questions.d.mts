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

export interface Round {
  readonly title: string;
  /** Whether a question is asked over its API alone. */
  readonly isByApi?: boolean;
  readonly questions: readonly Question[];
  readonly tools: readonly RecordedTool[];
}

export function readRounds(): Round[];
export function ask(round: Round): Answer[];
export function askOneServer(round: Round): Answer[];
export function share(answers: readonly Answer[], last: number): number;
