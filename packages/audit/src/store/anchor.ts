/** A small file beside the store that knows where the chain ends: without it, cutting the end off shows nowhere. */

import { readFileSync } from 'node:fs';

import { replaceFile } from '@callsign/config';

import type { Head } from '../record/audit-record.js';

export function anchorFile(store: string): string {
  return `${store}.anchor`;
}

/** `undefined` if there is none that makes sense. */
export function readAnchor(store: string): Head | undefined {
  try {
    const { seq, hash } = JSON.parse(readFileSync(anchorFile(store), 'utf8')) as Partial<Head>;
    const isWhole = Number.isSafeInteger(seq) && /^[0-9a-f]{64}$/.test(String(hash));
    return isWhole ? { seq: seq!, hash: hash! } : undefined;
  } catch {
    return undefined;
  }
}

export function writeAnchor(store: string, { seq, hash }: Head): void {
  replaceFile(anchorFile(store), `${JSON.stringify({ seq, hash })}\n`, { mode: 0o600 });
}
