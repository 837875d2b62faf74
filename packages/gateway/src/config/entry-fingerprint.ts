/**
 * A fingerprint of a server entry as written. Variables stay variables, so it depends on no secret.
 */

import { createHash } from 'node:crypto';

import { getNodeValue, type Node } from 'jsonc-parser';

import { isRecord } from '@callsign/config';
import { ENTRY_FIELDS } from './server-entry.js';

/** Covers the fields that say how the server runs. `folder`: where relative paths start. */
export function entryFingerprint(entry: Node, folder: string): string {
  const value: unknown = getNodeValue(entry);
  const fields = isRecord(value) ? ENTRY_FIELDS.map((field) => [field, value[field]]) : [];
  return createHash('sha256')
    .update(JSON.stringify([folder, fields]))
    .digest('hex');
}
