/** What an import did: which operations came of it, and everything that a person should look at. */

import type { Endpoint } from '@callsign/annotations';
import type { Adapter } from '@callsign/mcpaql';

export type FindingKind =
  /** Taken for something that the source does not say outright. */
  | 'guess'
  /** Not in the adapter, since it cannot be carried. */
  | 'left-out'
  /** A hand edit that stays, although the source says something new. */
  | 'kept'
  /** No longer in the source; still in the adapter. */
  | 'removed'
  /** The import as a whole did not work. */
  | 'failed';

export interface Finding {
  readonly kind: FindingKind;
  /** Where in the source, as a JSON Pointer such as `#/paths/~1ships/get`. */
  readonly pointer: string;
  /** What was found, and what to do about it. */
  readonly message: string;
}

export interface ImportedOperation {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** What it is in the source: `GET /ships`, or `tool:create_issue`. */
  readonly source: string;
  /** What its endpoint rests on. */
  readonly because: string;
  /** Whether the endpoint is a guess. */
  readonly isGuess: boolean;
}

export interface ImportReport {
  /** In the order of the source. */
  readonly operations: readonly ImportedOperation[];
  /** In the order of the source, each once. */
  readonly findings: readonly Finding[];
}

export type ImportResult =
  | {
      readonly ok: true;
      /** The adapter's file: Markdown with front matter. */
      readonly adapter: string;
      /** The same, ready for use. */
      readonly resolved: Adapter;
      readonly report: ImportReport;
    }
  | { readonly ok: false; readonly report: ImportReport };

/** Takes notes while a source is read. */
export class Findings {
  readonly #found = new Map<string, Finding>();

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
