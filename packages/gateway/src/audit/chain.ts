/** The chain: each record's hash holds the one before it, so that none can be changed or taken out unseen. */

import { hash } from 'node:crypto';

import type { Head } from './audit-record.js';

/** A record in its place. The text is what is hashed, so there is no second form that could differ. */
export interface Link extends Head {
  /** The hash of the record before. */
  readonly prev: string;
  readonly body: string;
}

/** Before the first record. */
export const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) };

export function linkAfter(head: Head, body: string): Link {
  return { seq: head.seq + 1, prev: head.hash, body, hash: hashOf(head.hash, body) };
}

export function hashOf(prev: string, body: string): string {
  return hash('sha256', `${prev}\n${body}`);
}
