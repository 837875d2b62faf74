/** What tells one call from another, as a fingerprint: whose, of what, and with which arguments. */

import { createHash } from 'node:crypto';

import { type Call, memberText } from '@callsign/core';

/** The same for every call of the tool, as long as its definition stays what it was. */
export function toolKey({ target }: Call): string {
  return fingerprint([target!.canonical, target!.item.json]);
}

/** The same for every call of the tool with these very arguments. */
export function callKey(call: Call): string {
  return fingerprint([toolKey(call), memberText(call.params, 'arguments') ?? '{}']);
}

export function fingerprint(parts: readonly string[]): string {
  const hash = createHash('sha256');
  // With its length in front, no part can pass for two.
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
