/** Fetches the other documents that an OpenAPI document refers to, if the user allows it. */

import { Findings, type Finding } from '../spec/import-report.js';
import { parseSpec } from './parse-spec.js';

/** How other documents are fetched. */
export interface FetchReferencesOptions {
  /** The address of the document, for relative references. */
  readonly url?: string;
  /**
   * Must block private networks, as `createGuardedFetch` does: the document chooses the addresses.
   */
  readonly fetch: (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;
}

/** The fetched documents, and those that could not be fetched as findings. */
export interface FetchedReferences {
  /** Texts by address, for `adapterFromOpenApi`. */
  readonly documents: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
}

const MAX_DOCUMENTS = 50;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_NODES = 2_000_000;
const TIME_MS = 20_000;

/** Never rejects: a document that cannot be fetched is reported and omitted. */
export async function fetchReferences(
  text: string,
  { url = '', fetch }: FetchReferencesOptions,
): Promise<FetchedReferences> {
  const documents = new Map<string, string>();
  const findings = new Findings();
  const wanted = new Set(addressesIn(text, url));
  let attempts = 0;
  // The set grows during the loop: documents refer to more documents.
  for (const address of wanted) {
    if (address === url) continue;
    if (attempts++ === MAX_DOCUMENTS) {
      findings.note('left-out', address, `There are more than ${MAX_DOCUMENTS} other documents.`);
      break;
    }
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(TIME_MS) });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const found = await readText(response);
      documents.set(address, found);
      for (const next of addressesIn(found, address)) wanted.add(next);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be reached';
      findings.note('left-out', address, `The document cannot be fetched: ${why}`);
    }
  }
  return { documents, findings: findings.all() };
}

/** The other documents that a text refers to, by their full addresses. */
function addressesIn(text: string, base: string): string[] {
  const parsed = parseSpec(text);
  const open: unknown[] = parsed.ok ? [parsed.value] : [];
  const seen = new Set<unknown>();
  const found = new Set<string>();
  while (open.length > 0 && seen.size < MAX_NODES) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, member] of Object.entries(value)) {
      if (key === '$ref' && typeof member === 'string') {
        const [address = ''] = member.split('#', 1);
        const isUrl = address !== '' && URL.canParse(address, base || undefined);
        if (isUrl) found.add(new URL(address, base || undefined).href);
      } else open.push(member);
    }
  }
  return [...found].filter((address) => /^https?:/.test(address)).toSorted();
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('it is larger than 4 MB');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}
