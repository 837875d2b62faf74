/** Reads an OpenAPI document from a file or an address, with `--refs` including those it refers to. */

import { readFile } from 'node:fs/promises';

import { type FetchedReferences, fetchReferences } from '@callsign/mcpaql/authoring';
import { HttpClient, readText } from '@callsign/outbound';

import { configPath } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import type { Where } from '../command/shell.js';

export interface ApiDocument {
  readonly text: string;
  /** Where it was fetched. Missing if it is a local file. */
  readonly url?: string;
  readonly references?: FetchedReferences;
}

const MAX_BYTES = 64 * 1024 * 1024;
const TIME_MS = 30_000;

export async function readApiDocument(
  source: string,
  { refs = false }: { readonly refs?: boolean | undefined },
  where: Where,
): Promise<ApiDocument> {
  const isUrl = /^https?:\/\//i.test(source) && URL.canParse(source);
  const url = isUrl ? new URL(source) : undefined;
  // An address on the command line may be private. Addresses that it redirects to may not.
  const client = new HttpClient({ guard: url ? { trustedOrigins: [url.origin] } : {} });
  try {
    const text = url ? await fetched(url, client) : await readLocal(source, where);
    const from = url ? { url: url.href } : {};
    const references = refs ? { references: await fetchReferences(text, { ...from, client }) } : {};
    return { text, ...from, ...references };
  } finally {
    client.close();
  }
}

async function fetched(url: URL, client: HttpClient): Promise<string> {
  try {
    const signal = AbortSignal.timeout(TIME_MS);
    const { status, body } = await client.request(url, { signal, redirects: 'any' });
    const text = await readText(body, MAX_BYTES);
    if (status < 200 || status >= 300) throw new Error(`it answered HTTP ${status}`);
    return text;
  } catch (error) {
    const message = `${url.origin}${url.pathname} cannot be fetched: ${reasonOf(error)}. Check the address.`;
    throw new Failure({ exit: EXIT.unreachable, code: 'unreachable', message });
  }
}

async function readLocal(path: string, where: Where): Promise<string> {
  const file = configPath(path, where);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? `There is no file ${file}` : `Cannot read ${file} (${code})`;
    const message = `${what}. Give the path or the address of an OpenAPI document.`;
    throw new Failure({ exit: EXIT.usage, code: 'cannot-read', message });
  }
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return (code ?? message).replace(/\.$/, '');
}
