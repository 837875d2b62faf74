/** Records in memory: the contract of stores, without a disk. */

import type { Head } from '../audit-record.js';
import type { AuditStore, Line, ReadOptions, Retention } from '../audit-store.js';
import { GENESIS, linkAfter, type Link } from '../chain.js';

export class MemoryStore implements AuditStore {
  /** Open to tests that forge it. */
  links: Link[] = [];
  head: Head | undefined = GENESIS;
  readonly #writers = new Map<string, number>();

  append(writer: string, lines: readonly Line[]): Promise<void> {
    const last = this.#writers.get(writer) ?? -1;
    for (const { n, body } of lines) if (n > last) this.#put(body);
    const newest = lines.at(-1)?.n ?? -1;
    this.#writers.set(writer, Math.max(last, newest));
    return Promise.resolve();
  }

  async *read({ after = 0, newestFirst = false }: ReadOptions = {}): AsyncIterable<Link> {
    const links = this.links.filter(({ seq }) => seq > after);
    yield* newestFirst ? links.toReversed() : links;
  }

  anchor(): Promise<Head | undefined> {
    return Promise.resolve(this.head);
  }

  prune({ before, maxBytes }: Retention): Promise<number> {
    const young = this.links.findIndex(({ body }) => timeOf(body) >= before);
    let count = young === -1 ? this.links.length : young;
    const sizes = this.links.map(({ body }) => body.length);
    let bytes = sizes.slice(count).reduce((sum, size) => sum + size, 0);
    while (bytes > maxBytes) bytes -= sizes[count++]!;
    const through = this.links[count - 1];
    if (!through) return Promise.resolve(0);
    this.links = this.links.slice(count);
    this.#put(
      JSON.stringify({
        kind: 'pruned',
        id: `pruned-${through.seq}`,
        time: new Date().toISOString(),
        severity: 'notice',
        through: { seq: through.seq, hash: through.hash },
        count,
      }),
    );
    return Promise.resolve(count);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #put(body: string): void {
    const link = linkAfter(this.head ?? GENESIS, body);
    this.links.push(link);
    this.head = { seq: link.seq, hash: link.hash };
  }
}

function timeOf(body: string): string {
  return (JSON.parse(body) as { time: string }).time;
}
