/** Fetches the other documents that an OpenAPI document refers to, if the user allows it. */

import { readText, type HttpClient } from '@callsign/outbound';

import { Findings, type Finding } from '../spec/import-report.js';
import { parseSpec } from './parse-spec.js';

/** How other documents are fetched. */
export interface FetchReferencesOptions {
  /** The address of the document, for relative references. */
  readonly url?: string;
  /** Must block private networks: the document chooses the addresses. */
  readonly client: HttpClient;
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
  { url = '', client }: FetchReferencesOptions,
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
      const signal = AbortSignal.timeout(TIME_MS);
      const { status, body } = await client.request(address, { signal, redirects: 'any' });
      const found = await readText(body, MAX_BYTES);
      if (status < 200 || status >= 300) throw new Error(`HTTP ${status}`);
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
