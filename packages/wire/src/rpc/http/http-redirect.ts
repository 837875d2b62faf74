/** Redirects of a server: where a request may go instead, and what counts as an answer there. */

import type { IncomingHttpHeaders } from 'node:http';

import { placeOf } from '@callsign/core/secrets';

import { HttpFailure } from './http-failure.js';

/** What is read of a response. `type`: without parameters, in lower case. */
interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly type: string;
}

/** These repeat the request as it is. Others turn it into a GET. */
const REPEATING = [307, 308];
export const REDIRECTS: readonly number[] = [301, 302, 303, ...REPEATING];

/** Whether it is an answer to a message. Any other may be a page that says what is wrong. */
export function isMcp({ status, type }: Answered): boolean {
  return status === 202 || (status === 200 && /\/(?:json|event-stream)$/.test(type));
}

/** The address to use instead. Never another origin, which would get our credentials. */
export function redirect(
  method: string,
  url: URL,
  { status, headers: { location } }: Answered,
): URL {
  if (location === undefined || !URL.canParse(location, url.href)) {
    throw new HttpFailure('it redirects without an address', { url, status });
  }
  const target = new URL(location, url);
  target.username = target.password = target.hash = '';
  if (target.origin !== url.origin) {
    const reason = `it redirects to another origin, ${placeOf(target)}, which is not followed`;
    throw new HttpFailure(reason, { url, status });
  }
  if (!REPEATING.includes(status) && method !== 'GET') {
    const reason = `it redirects to ${placeOf(target)} in a way that would lose the request`;
    throw new HttpFailure(reason, { url, status });
  }
  return target;
}
