/** The official SDK's clients, old and new, against the gateway. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { temporaryFolder } from '../gateway-process.js';
import { gatewayCommand, TestGateway } from './gateway.js';
import type { Json } from './json-tree.js';
import { v1, v2 } from './sdk.js';
import { fixture } from './servers.js';
import { removeFolder } from '../../testing/remove-folder.js';

const SERVERS = {
  plain: fixture('plain-child'),
  modern: fixture('plain-child', '--stateless'),
  every: fixture('everything'),
};
const INFO = { name: 'sdk-client', version: '1.0.0' };
const CAPABILITIES = {
  elicitation: { form: {} },
  sampling: {},
  roots: { listChanged: true },
} as const;

const ELICITED = { action: 'accept' as const, content: { answer: 'yes', name: 'Ada' } };
const SAMPLED = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Hi é' },
  model: 'm',
};
const ROOTS = { roots: [{ uri: 'file:///x', name: 'X' }] };

interface CallOptions {
  readonly onprogress?: (progress: { progress: number }) => void;
  readonly signal?: AbortSignal;
}

/** What the tests need from a client of either SDK. */
interface SdkClient {
  listTools(): Promise<{ tools: { name: string; title?: string | undefined }[] }>;
  call(name: string, args?: object, options?: CallOptions): Promise<Json>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<Json>;
  readResource(params: { uri: string }): Promise<Json>;
  /** Calls back whenever the list of tools has changed. */
  onToolsChanged(listener: () => void): Promise<void>;
  readonly errors: Error[];
  close(): Promise<void>;
}

const http = new TestGateway('http', { servers: SERVERS });

beforeAll(async () => {
  const peer = await http.connect('session');
  await peer.request('tools/list');
  await peer.close();
});
afterAll(() => http.stop());

/** How to start a gateway on stdio, in the form of the SDK. */
function command(): { command: string; args: string[]; stderr: 'ignore' } {
  const { command: node, args, folder } = gatewayCommand('stdio', { servers: SERVERS });
  folders.push(folder);
  return { command: node, args: [...args], stderr: 'ignore' };
}
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => removeFolder(folder)));

async function newClient(
  mode: 'legacy' | 'auto' | 'pin',
  listener: 'stdio' | 'http',
): Promise<SdkClient> {
  const client = new v2.Client(INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: mode === 'pin' ? { pin: '2026-07-28' } : mode },
  });
  client.setRequestHandler('elicitation/create', () => ELICITED);
  client.setRequestHandler('sampling/createMessage', () => SAMPLED);
  client.setRequestHandler('roots/list', () => ROOTS);
  const errors: Error[] = [];
  Object.assign(client, { onerror: (error: Error) => errors.push(error) });
  const transport =
    listener === 'stdio'
      ? new v2.StdioClientTransport(command())
      : new v2.StreamableHTTPClientTransport(new URL(await http.url()));
  await client.connect(transport);
  expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern');
  return {
    listTools: () => client.listTools(),
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args as Record<string, unknown> }, options),
    getPrompt: (params) => client.getPrompt(params),
    readResource: (params) => client.readResource(params),
    async onToolsChanged(onChange) {
      client.setNotificationHandler('notifications/tools/list_changed', onChange);
      if (mode !== 'legacy') await client.listen({ toolsListChanged: true });
    },
    errors,
    close: () => client.close(),
  };
}

async function oldClient(listener: 'http' | 'sse'): Promise<SdkClient> {
  const client = new v1.Client(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(v1.ElicitRequestSchema, () => ELICITED);
  client.setRequestHandler(v1.CreateMessageRequestSchema, () => SAMPLED);
  client.setRequestHandler(v1.ListRootsRequestSchema, () => ROOTS);
  const errors: Error[] = [];
  Object.assign(client, { onerror: (error: Error) => errors.push(error) });
  const transport =
    listener === 'sse'
      ? new v1.SSEClientTransport(new URL(await http.url('/sse')))
      : new v1.StreamableHTTPClientTransport(new URL(await http.url()));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    listTools: () => client.listTools(),
    call: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args as Record<string, unknown> }, undefined, options),
    getPrompt: (params) => client.getPrompt(params),
    readResource: (params) => client.readResource(params),
    async onToolsChanged(onChange) {
      client.setNotificationHandler(v1.ToolListChangedNotificationSchema, onChange);
    },
    errors,
    close: () => client.close(),
  };
}

const PEERS: [string, () => Promise<SdkClient>][] = [
  ['v2 on stdio with a session', () => newClient('legacy', 'stdio')],
  ['v2 on stdio without one', () => newClient('pin', 'stdio')],
  ['v2 over HTTP with a session', () => newClient('legacy', 'http')],
  ['v2 over HTTP without one', () => newClient('auto', 'http')],
  ['v1 over HTTP', () => oldClient('http')],
  ['v1 over HTTP and SSE', () => oldClient('sse')],
];

const clients = new Map<string, SdkClient>();
afterAll(() => Promise.all(Array.from(clients.values(), (client) => client.close())));

describe.each(PEERS)('%s', (title, connect) => {
  let client: SdkClient;

  beforeAll(async () => {
    client = await connect();
    clients.set(title, client);
  });

  it(
    'lists and calls tools whose names have a colon',
    shows('AGG-38', 'AGG-39', 'AGG-50', async () => {
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining(['plain:echo', 'modern:echo', 'every:test_simple_text']),
      );
      for (const server of ['plain', 'modern']) {
        const result = await client.call(`${server}:echo`, { é: [1, { z: null }] });
        expect(result.structuredContent).toEqual({ é: [1, { z: null }] });
        const added = await client.call(`${server}:add`, { a: 1, b: 2 });
        expect(added.structuredContent).toEqual({ sum: 3 });
      }
    }),
  );

  it('gets prompts and reads resources', async () => {
    const prompt = await client.getPrompt({ name: 'plain:greet', arguments: { name: 'Ada' } });
    expect(prompt.messages[0].content.text).toContain('Ada');
    const resource = await client.readResource({ uri: 'plain://item/7' });
    expect(resource.contents[0].text).toContain('"7"');
  });

  it(
    'gets errors with their own code, message and data',
    shows('AGG-28', 'FR-008', async () => {
      const wrong = client.call('plain:none');
      await expect(wrong).rejects.toMatchObject({ code: -32602 });
      await expect(client.call('modern:rpc_error')).rejects.toMatchObject({
        code: -32099,
        message: expect.stringContaining('A deliberate error'),
        data: { reason: 'asked for' },
      });
      expect(await client.call('plain:fail')).toMatchObject({ isError: true });
    }),
  );

  it.each(['plain', 'modern'])(
    'sees the progress of %s',
    shows('ANN-45', async (server: string) => {
      const seen: number[] = [];
      // The SDK drops a report that it reads together with the answer, so the answer waits for it.
      const until = join(temporaryFolder(), 'seen');
      const onprogress = ({ progress }: { progress: number }): void => {
        seen.push(progress);
        if (progress === 3) writeFileSync(until, '');
      };
      await client.call(`${server}:progress`, { steps: 3, until }, { onprogress });
      expect(seen).toEqual([1, 2, 3]);
    }),
  );

  it.each(['plain', 'modern'])('answers what %s asks', async (server) => {
    const ask = async (kind: string): Promise<unknown> =>
      (await client.call(`${server}:ask`, { kind })).structuredContent?.answer;
    expect(await ask('elicitation')).toMatchObject(ELICITED);
    expect(await ask('sampling')).toMatchObject(SAMPLED);
    expect(await ask('roots')).toMatchObject(ROOTS);
  });

  it('answers several questions of a server of its own kind', async () => {
    const result = await client.call('every:test_input_required_result_multiple_inputs');
    expect(result.content[0].text).toBe('Hi é Ada, of 1 roots.');
  });

  it('is told about tools that come and go', async () => {
    let changes = 0;
    await client.onToolsChanged(() => void changes++);
    await client.call('plain:add_tool', { name: 'guest' });
    await expect.poll(() => changes).toBeGreaterThan(0);
    const listed = async (): Promise<boolean> =>
      (await client.listTools()).tools.some(({ name }) => name === 'plain:guest');
    await expect.poll(listed).toBe(true);
    await client.call('plain:remove_tool', { name: 'guest' });
    await expect.poll(listed).toBe(false);
  });

  it('reports no protocol error', () => {
    expect(client.errors).toEqual([]);
  });
});

// These are last, because a server may still ask something for a cancelled call, and other calls
// wait for that.
describe.each(PEERS)('%s', (title) => {
  it.each(['plain', 'modern'])(
    'can stop what %s does',
    shows('ANN-45', async (server: string) => {
      const client = clients.get(title)!;
      const stop = new AbortController();
      const before = await cancelledOf(client, server);
      const call = client.call(
        `${server}:progress`,
        { steps: 1000, ms: 20 },
        { signal: stop.signal, onprogress: () => stop.abort(new Error('enough')) },
      );
      await expect(call).rejects.toThrow();
      await expect.poll(() => cancelledOf(client, server)).toBeGreaterThan(before);
    }),
  );
});

async function cancelledOf(client: SdkClient, server: string): Promise<number> {
  return (await client.call(`${server}:cancelled`)).structuredContent.ids.length;
}
