import type { Question, RecordedTool } from './questions.mjs';

export function pageOf(questions: readonly Question[], tools: readonly RecordedTool[]): string;
