/** A server entry as it is written in a file of any client. Variables are not replaced. */

/** Unchecked: any member may have any type. */
export type WrittenEntry = Readonly<Record<string, unknown>>;

/** What commands show about an entry. */
export interface EntrySummary {
  readonly transport: 'stdio' | 'http' | 'sse' | 'unknown';
  readonly command?: string;
  readonly args: readonly string[];
  readonly url?: string;
  readonly isOff: boolean;
}

const URL_FIELDS = ['url', 'serverUrl', 'httpUrl'];

/** Summarises an entry without checking it: unknown forms have the transport `unknown`. */
export function summaryOf(entry: WrittenEntry): EntrySummary {
  const { command: written, args, type } = entry;
  const isOff = entry['disabled'] === true || entry['enabled'] === false;
  const nested = isRecord(written) ? written : { path: written, args };
  if (typeof nested['path'] === 'string') {
    const words = Array.isArray(nested['args']) ? nested['args'].map(String) : [];
    return { transport: 'stdio', command: nested['path'], args: words, isOff };
  }
  const url = URL_FIELDS.map((field) => entry[field]).find((value) => typeof value === 'string');
  if (url === undefined) return { transport: 'unknown', args: [], isOff };
  return { transport: type === 'sse' ? 'sse' : 'http', url, args: [], isOff };
}

/** A JSON object: not `null`, and not an array. */
export function isRecord(value: unknown): value is WrittenEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
