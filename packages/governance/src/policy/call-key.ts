/** A fingerprint of a call: the caller, the tool and the arguments. */

import { createHash } from 'node:crypto';

import { type Call, memberText } from '@callsign/core';

/** Equal for all calls of the tool while its definition stays the same. */
export function toolKey({ target }: Call): string {
  return fingerprint([target!.canonical, target!.item.json]);
}

/** Equal for all calls of the tool with the same arguments, and for all reads of the same resource. */
export function callKey(call: Call): string {
  const resource = call.subject?.canonical ?? '';
  return fingerprint([toolKey(call), memberText(call.params, 'arguments') ?? '{}', resource]);
}

export function fingerprint(parts: readonly string[]): string {
  const hash = createHash('sha256');
  // With its length in front, no part can be read as two.
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
