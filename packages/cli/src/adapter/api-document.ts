/** Reads an OpenAPI document from a file or an address, with `--refs` also those it refers to. */

import { readFile } from 'node:fs/promises';

import { type FetchedReferences, fetchReferences } from '@callsign/mcpaql/authoring';
import { createGuardedFetch, readLimited, type GuardedFetch } from '@callsign/outbound';

import { configPath } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

export interface ApiDocument {
  readonly text: string;
  /** Where it was fetched. Unset: it is a local file. */
  readonly url?: string;
  readonly references?: FetchedReferences;
}

const MAX_BYTES = 64 * 1024 * 1024;
const TIME_MS = 30_000;

export async function readApiDocument(
  source: string,
  { refs = false }: { readonly refs?: boolean | undefined },
): Promise<ApiDocument> {
  const isUrl = /^https?:\/\//i.test(source) && URL.canParse(source);
  const url = isUrl ? new URL(source) : undefined;
  // An address on the command line may be private. Addresses that it redirects to may not.
  const fetch = createGuardedFetch(url ? { trustedOrigins: [url.origin] } : {});
  try {
    const text = url ? await fetched(url, fetch) : await readLocal(source);
    const from = url ? { url: url.href } : {};
    const references = refs ? { references: await fetchReferences(text, { ...from, fetch }) } : {};
    return { text, ...from, ...references };
  } finally {
    await fetch.close();
  }
}

async function fetched(url: URL, fetch: GuardedFetch): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIME_MS) });
    if (!response.ok) throw new Error(`it answered HTTP ${response.status}`);
    return await readLimited(response, MAX_BYTES);
  } catch (error) {
    const message = `${url.origin}${url.pathname} cannot be fetched: ${reasonOf(error)}. Check the address.`;
    throw new Failure({ exit: EXIT.unreachable, code: 'unreachable', message });
  }
}

async function readLocal(path: string): Promise<string> {
  const file = configPath(path);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = `Cannot read ${file} (${code}). Give the path or the address of an OpenAPI document.`;
    throw new Failure({ exit: EXIT.usage, code: 'cannot-read', message });
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return (code ?? message).replace(/\.$/, '');
}
