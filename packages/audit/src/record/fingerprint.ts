/** The fingerprint of arguments. It is the same for arguments that are written in the same way. */

import { hash } from 'node:crypto';

export function fingerprintOf(argumentsJson: string): string {
  return `sha256:${hash('sha256', argumentsJson)}`;
}
