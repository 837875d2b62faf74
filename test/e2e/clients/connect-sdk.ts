/** A client of the older official SDK over HTTP, with a key or a token. It closes with the test. */

import { onTestFinished } from 'vitest';

import { v1 } from './sdk.js';

export type SdkClient = InstanceType<typeof v1.Client>;

export async function connectSdk(
  url: string | URL,
  credential: string,
  capabilities: object = {},
): Promise<SdkClient> {
  const client = new v1.Client({ name: 'tester', version: '1' }, { capabilities });
  const requestInit = { headers: { authorization: `Bearer ${credential}` } };
  const transport = new v1.StreamableHTTPClientTransport(new URL(url), { requestInit });
  await client.connect(transport as never);
  onTestFinished(() => client.close());
  return client;
}
