/** The chain: each segment's hash holds the one before it, so that no record can be changed or taken out unseen. */

import { hash } from 'node:crypto';

import type { Head } from '../record/audit-record.js';

/** Some records in their place; `seq` is that of the last one. Their text is what is hashed. */
export interface Segment extends Head {
  /** The hash of the segment before. */
  readonly prev: string;
  /** A line per record. */
  readonly body: string;
}

/** Records as text: so many lines, with a line feed between two. See placed-record.ts for what is in one. */
export interface Block {
  readonly count: number;
  readonly body: string;
}

/** Of lines that hold no line feed. */
export function blockOf(lines: readonly string[]): Block {
  return { count: lines.length, body: lines.join('\n') };
}

/** Before the first record. */
export const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) };

/** The segment that follows. */
export function segmentAfter(head: Head, { count, body }: Block): Segment {
  return { seq: head.seq + count, prev: head.hash, hash: hashOf(head.hash, body), body };
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
