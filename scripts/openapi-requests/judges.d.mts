import type { IncomingHttpHeaders } from 'node:http';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Verdict {
  readonly accepts: readonly string[];
  readonly refuses: readonly string[];
  readonly errors: readonly { readonly by: string; readonly message: string }[];
  /** What a validator read, by place and name. */
  readonly decoded: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

export function judgesFor(
  definition: Readonly<Record<string, unknown>>,
): Promise<(source: string, request: Received) => Promise<Verdict>>;
