/** Reads the results of the plain server's tools. */

import type { RawClient } from './raw-client.js';

async function structure(client: RawClient, name: string): Promise<Record<string, unknown>> {
  const { structuredContent } = await client.result(name);
  return structuredContent as Record<string, unknown>;
}

export async function pidOf(client: RawClient, server: string): Promise<number> {
  return (await structure(client, `${server}:pid`))['pid'] as number;
}

export async function environmentOf(
  client: RawClient,
  server: string,
): Promise<Record<string, string>> {
  return (await structure(client, `${server}:env`)) as Record<string, string>;
}

/** The ids of requests that were cancelled at the server. */
export async function cancelledIn(client: RawClient, server: string): Promise<unknown[]> {
  return (await structure(client, `${server}:cancelled`))['ids'] as unknown[];
}

/** The text of a result. */
export function textOf(result: Record<string, unknown> | undefined): string {
  const [first] = (result?.['content'] ?? []) as { text?: string }[];
  return first?.text ?? '';
}
