/** Every method of the protocol, by the SDK's own schemas. */

import * as protocol from '@modelcontextprotocol/core';

/** The methods of all requests and notifications, in both directions. */
export function protocolMethods(): string[] {
  const methods = Object.entries(protocol).flatMap(([name, schema]) =>
    /(?:Request|Notification)Schema$/.test(name) ? (methodOf(schema) ?? []) : [],
  );
  return [...new Set(methods)].toSorted();
}

function methodOf(schema: unknown): string | undefined {
  const { shape } = schema as { shape?: { method?: { value?: unknown } } };
  const value = shape?.method?.value;
  return typeof value === 'string' ? value : undefined;
}
