import type { Operation } from '@callsign/mcpaql';

import type { Received } from './judges.mjs';

export interface ServedDocument {
  readonly operations: readonly Operation[];
  sourceOf(name: string): string | undefined;
  send(
    name: string,
    params: object,
  ): Promise<{ readonly request?: Received; readonly error?: { readonly message: string } }>;
  close(): Promise<void>;
}

export function serveDocument(text: string): Promise<ServedDocument | undefined>;
