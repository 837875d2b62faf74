export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly unit: number;
  readonly in: string;
  readonly change: string;
  readonly nth: number;
  readonly edit: Edit;
}
export function listMutants(file: string, source: string): Mutant[];
export function markFunctions(file: string, source: string, hit: (unit: number) => string): string;
export function apply(source: string, edits: readonly Edit[]): string;
