import { timingSafeEqual } from 'node:crypto';

/** Compares a secret in constant time, so that the time reveals only its length. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
