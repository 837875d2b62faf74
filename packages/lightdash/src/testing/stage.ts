/** A real sandbox, a client of it, and a server with an MCP client. All are closed after the test. */

import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';

import { readConnection, type Environment } from '../client/connection.js';
import { LightdashClient } from '../client/lightdash-client.js';
import type { HttpLimits } from '../client/lightdash-http.js';
import { createLightdashServer, type LightdashServerOptions } from '../server/lightdash-server.js';
import { Sandbox } from '../sandbox/index.js';

/** Pauses of a few milliseconds, so that tests are fast. */
export const SWIFT: Partial<HttpLimits> = {
  timeoutMs: 5_000,
  retry: { retries: 3, firstPauseMs: 1, longestPauseMs: 3_000 },
};

export async function startSandbox(): Promise<Sandbox> {
  const sandbox = await Sandbox.start();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

export function clientOf(
  sandbox: Sandbox,
  limits: Partial<HttpLimits> = {},
  env: Environment = {},
): LightdashClient {
  return new LightdashClient(readConnection({ ...sandbox.environment, ...env }), {
    ...SWIFT,
    ...limits,
  });
}

export interface CallAnswer {
  readonly isError: boolean;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it as they please
  readonly data: any;
}

export interface Stage {
  readonly mcp: Client;
  /** Calls a tool by its short name. */
  call(
    shortName: string,
    args?: Record<string, unknown>,
    options?: {
      signal?: AbortSignal;
      onprogress?: (step: { message?: string | undefined }) => void;
    },
  ): Promise<CallAnswer>;
  names(): Promise<string[]>;
}

export async function stageOf(
  client: LightdashClient,
  options: Omit<LightdashServerOptions, 'client'> = {},
): Promise<Stage> {
  const mcp = new Client({ name: 'stage', version: '1.0.0' });
  const server = createLightdashServer({ client, ...options });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), mcp.connect(near)]);
  onTestFinished(() => mcp.close());
  const { prefix = 'lightdash_tools__' } = options;
  return {
    mcp,
    async call(shortName, args = {}, callOptions = {}) {
      const name = `${prefix}${shortName}`;
      const result = await mcp.callTool({ name, arguments: args }, callOptions);
      const [block] = result.content as { text: string }[];
      return {
        isError: result.isError === true,
        text: block?.text ?? '',
        data: result.structuredContent,
      };
    },
    names: async () => (await mcp.listTools()).tools.map(({ name }) => name),
  };
}
