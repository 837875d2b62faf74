/** Records in memory: the contract of stores, without a disk. */

import type { Head } from '../record/audit-record.js';
import type { AuditStore, Draft, ReadOptions, Retention } from '../store/audit-store.js';
import {
  beginOf,
  type Block,
  blockOf,
  GENESIS,
  segmentAfter,
  type Segment,
} from '../store/chain.js';
import { recordsIn } from '../store/placed-record.js';

export class MemoryStore implements AuditStore {
  /** Open to tests that forge it. */
  segments: Segment[] = [];
  head: Head | undefined = GENESIS;
  readonly #writers = new Map<string, number>();

  append(writer: string, drafts: readonly Draft[]): Promise<void> {
    for (const { n, ...block } of drafts) {
      if (n <= (this.#writers.get(writer) ?? -1)) continue;
      this.#writers.set(writer, n);
      this.#put(block);
    }
    return Promise.resolve();
  }

  async *read({ after = 0, newestFirst = false }: ReadOptions = {}): AsyncIterable<Segment> {
    const segments = this.segments.filter(({ seq }) => seq > after);
    yield* newestFirst ? segments.toReversed() : segments;
  }

  anchor(): Promise<Head | undefined> {
    return Promise.resolve(this.head);
  }

  prune({ before, maxBytes }: Retention): Promise<number> {
    const begin = this.segments[0] && beginOf(this.segments[0]);
    let bytes = this.segments.reduce((sum, { body }) => sum + body.length, 0);
    let through: Segment | undefined;
    while (this.segments[0] && (bytes > maxBytes || isOld(this.segments[0], before))) {
      through = this.segments.shift()!;
      bytes -= through.body.length;
    }
    if (!through) return Promise.resolve(0);
    const { seq, hash } = through;
    const count = seq - begin!;
    const [id, time] = [`pruned-${seq}`, new Date().toISOString()];
    const record = { kind: 'pruned', id, time, severity: 'notice', through: { seq, hash }, count };
    this.#put(blockOf([JSON.stringify(record)]));
    return Promise.resolve(count);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #put(block: Block): void {
    const segment = segmentAfter(this.head ?? GENESIS, block);
    this.segments.push(segment);
    this.head = { seq: segment.seq, hash: segment.hash };
  }
}

function isOld(segment: Segment, before: string): boolean {
  return [...recordsIn(segment)].every(({ record }) => record.time < before);
}
