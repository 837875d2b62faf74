/** The chain: each segment's hash holds the one before it, so that no record can be changed or taken out unseen. */

import { hash } from 'node:crypto';

import type { Head } from './audit-record.js';

/** Some records in their place; `seq` is that of the last one. Their text is what is hashed. */
export interface Segment extends Head {
  /** The hash of the segment before. */
  readonly prev: string;
  /** A line per record. */
  readonly body: string;
}

/** Before the first record. */
export const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) };

/** The segment that follows, of lines that hold no line feed. */
export function segmentAfter(head: Head, lines: readonly string[]): Segment {
  const body = lines.join('\n');
  return { seq: head.seq + lines.length, prev: head.hash, hash: hashOf(head.hash, body), body };
}

export function hashOf(prev: string, body: string): string {
  return hash('sha256', `${prev}\n${body}`);
}

export function linesOf({ body }: Segment): string[] {
  return body.split('\n');
}

/** What came before its first record. */
export function beginOf(segment: Segment): number {
  return segment.seq - linesOf(segment).length;
}
