/** Fingerprints of a call, by which approvals are remembered. */

import { createHash } from 'node:crypto';

import type { Call } from '@callsign/core';

/** Equal for all calls of the tool, until its definition changes. */
export function toolKey({ target }: Call): string {
  return fingerprint([target!.canonical, target!.item.json]);
}

/**
 * Equal for all calls of the tool with the same arguments, and for all reads of one resource.
 */
export function callKey(call: Call, given: string | undefined = call.givenJson): string {
  const resource = call.subject?.canonical ?? '';
  return fingerprint([toolKey(call), given ?? '{}', resource]);
}

/** A hash over several texts. */
export function fingerprint(parts: readonly string[]): string {
  const hash = createHash('sha256');
  // The length comes first, so that parts cannot run into each other.
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
