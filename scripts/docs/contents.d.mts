export interface Group {
  readonly page?: string;
  readonly folder?: string;
  readonly title?: string;
  readonly pages?: readonly string[];
}

export type Entry = string | Group;

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

export const CONTENTS: readonly Section[];
export const INDEX: string;
export const INDEXES: readonly string[];
export function pagesInOrder(contents?: readonly Section[]): string[];
export function pagesOf(entry: Entry): string[];
