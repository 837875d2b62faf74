/** The report of an import: the imported operations, and everything that a person should check. */

import type { Endpoint } from '@callsign/effects';

import type { Adapter } from '../../adapter/adapter.js';

/** Why something needs the attention of a person. */
export type FindingKind =
  /** A guess: the source does not state it. */
  | 'guess'
  /** Not in the adapter, because it cannot be imported. */
  | 'left-out'
  /** A manual edit was kept, although the source has changed. */
  | 'kept'
  /** No longer in the source, but still in the adapter. */
  | 'removed'
  /** The import failed. */
  | 'failed';

/** One note about a place in the source. */
export interface Finding {
  readonly kind: FindingKind;
  /** The place in the source, as a JSON Pointer such as `#/paths/~1ships/get`. */
  readonly pointer: string;
  /** What was found, and what to do. */
  readonly message: string;
}

/** One operation of the new adapter, and how its endpoint was chosen. */
export interface ImportedOperation {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Its key in the source: `GET /ships`, or `tool:create_issue`. */
  readonly source: string;
  /** The reason for its endpoint. */
  readonly because: string;
  /** Whether the endpoint is a guess. */
  readonly isGuess: boolean;
}

/** Everything that a person should read after an import. */
export interface ImportReport {
  /** In the order of the source. */
  readonly operations: readonly ImportedOperation[];
  /** In the order of the source, each once. */
  readonly findings: readonly Finding[];
}

/** A failed import has a report too, with a finding of the kind `failed`. */
export type ImportResult =
  | {
      readonly ok: true;
      /** The adapter's file: Markdown with front matter. */
      readonly adapter: string;
      /** The adapter of this file, ready for use. */
      readonly resolved: Adapter;
      readonly report: ImportReport;
    }
  | { readonly ok: false; readonly report: ImportReport };

/** Collects notes while a source is read. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  /** Adds a finding. The same finding is kept once. */
  note(kind: FindingKind, pointer: string, message: string): void {
    this.#found.set(`${kind} ${pointer} ${message}`, { kind, pointer, message });
  }

  all(): readonly Finding[] {
    return [...this.#found.values()];
  }
}

export function failedImport(message: string, pointer = '#'): ImportResult {
  return {
    ok: false,
    report: { operations: [], findings: [{ kind: 'failed', pointer, message }] },
  };
}
