/** Keys in the paths of addresses: some services put them there. */

import { isSecretValue } from './known-tokens.js';

/** Characters. Longer parts of a path may be keys. */
const LONGEST_PART = 24;

/** Whether a part of a path may be a key: it is long, or looks like one. */
export function isSecretPart(part: string): boolean {
  return part.length > LONGEST_PART || isSecretValue(part);
}

/** The part of a `URL` that is read here. */
interface Address {
  readonly origin: string;
  readonly pathname: string;
}

/** An address that is safe to show: without user, query and fragment, and without such parts. */
export function placeOf({ origin, pathname }: Address): string {
  const parts = pathname.split('/').map((part) => (isSecretPart(part) ? '…' : part));
  return origin + parts.join('/');
}
