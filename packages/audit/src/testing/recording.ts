/** The interceptors of an audit, in the order of the gateway. */

import type { Interceptor } from '@callsign/core';

import { observe } from '@callsign/core';
import type { Audit } from '../modules/audit.js';

export function recording(audit: Audit, ...between: readonly Interceptor[]): Interceptor[] {
  const { strict, intent } = audit;
  return [
    observe([audit], () => performance.now()),
    ...(strict ? [strict] : []),
    ...between,
    intent,
  ];
}
