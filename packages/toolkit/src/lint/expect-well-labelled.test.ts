import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { McpServer as LegacyServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport, McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import {
  expectWellLabelled,
  LabelError,
  READ_ONLY_DEFAULT,
  registerToolSafe,
  type ToolServer,
} from '../index.js';

const IDENTITY = { name: 'harbour', version: '1.0.0' };
const answer = () => ({ content: [{ type: 'text' as const, text: 'done' }] });

function registerWell(server: ToolServer): void {
  const description = 'Lists the ships that lie in the harbour.';
  const options = { title: 'List ships', description, annotations: READ_ONLY_DEFAULT };
  registerToolSafe(server, 'list_ships', { ...options, inputSchema: z.object({}) }, answer);
}

/** Official servers: one has no findings, the other has hyphens in its names. */
const official = (name: string) => ({
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`))],
});
const MEMORY = official('memory');
const EVERYTHING = official('everything');

const errorOf = (promise: Promise<void>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as LabelError,
  );

describe('expectWellLabelled', () => {
  it.each([
    ['version 2', () => new McpServer(IDENTITY)],
    ['version 1', () => new LegacyServer(IDENTITY)],
  ])(
    'passes a well-labelled server of SDK %s, which can be connected afterwards',
    async (_, make) => {
      const server = make();
      registerWell(server);
      await expectWellLabelled(server);
      await expectWellLabelled(server);
      expect(server.isConnected()).toBe(false);
    },
  );

  it('lists every finding with tool, advice and rule, in one error', async () => {
    const server = new McpServer(IDENTITY);
    server.registerTool('delete-ship', { annotations: { readOnlyHint: true } }, answer);
    server.registerTool('ships', { description: 'Lists ships.' }, answer);
    const error = await errorOf(expectWellLabelled(server));
    expect(error).toBeInstanceOf(LabelError);
    const { findings, message } = error!;
    expect(findings.length).toBeGreaterThan(3);
    expect(findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['name-characters', 'title-missing', 'description-missing']),
    );
    expect(message).toContain(`${findings.length} findings about the tools of this server:`);
    expect(message.split('\n').slice(1)).toEqual(
      findings.map(
        (found) =>
          `- ${found.tool}: ${found.message} ${found.fix} (${found.severity}, ${found.rule})`,
      ),
    );
  });

  it('writes one line per finding, for any tool name', async () => {
    const server = new Server(IDENTITY, { capabilities: { tools: {} } });
    const inputSchema = { type: 'object' as const };
    server.setRequestHandler('tools/list', () => ({
      tools: [
        { name: 'a\n- b: all is well\u001B[2K', inputSchema },
        { name: '', inputSchema },
      ],
    }));
    const { findings, message } = (await errorOf(expectWellLabelled(server)))!;
    expect(message.split('\n')).toHaveLength(findings.length + 1);
    expect(message).not.toContain('\u001B');
    expect(message).toContain('- (a tool without a name): ');
  });

  it('leaves out ignored rules', async () => {
    const server = new McpServer(IDENTITY);
    server.registerTool('ships', { description: 'Lists ships.' }, answer);
    const { findings } = (await errorOf(expectWellLabelled(server)))!;
    const ignore = findings.map(({ rule }) => rule);
    await expectWellLabelled(server, { ignore });
    const [first, ...others] = ignore;
    const error = await errorOf(expectWellLabelled(server, { ignore: others }));
    expect(error?.findings.map(({ rule }) => rule)).toEqual([first]);
    expect(error?.message).toMatch(/^One finding about/);
  });

  it('measures names under the key that clients will use', async () => {
    const server = new McpServer(IDENTITY);
    registerWell(server);
    const key = 'a_key_that_is_rather_long_for_anybody';
    const error = await errorOf(expectWellLabelled(server, { key }));
    expect(error?.findings.map(({ rule }) => rule)).toContain('name-length');
  });

  it('reads all pages of a list', async () => {
    const server = new Server(IDENTITY, { capabilities: { tools: {} } });
    const tool = (name: string) => ({ name, inputSchema: { type: 'object' as const } });
    server.setRequestHandler('tools/list', ({ params }) =>
      params?.cursor === undefined
        ? { tools: [tool('a')], nextCursor: '2' }
        : { tools: [tool('b')] },
    );
    const error = await errorOf(expectWellLabelled(server));
    expect(new Set(error?.findings.map((finding) => finding.tool))).toEqual(new Set(['a', 'b']));
  });

  it('does not read a list without end', async () => {
    const server = new Server(IDENTITY, { capabilities: { tools: {} } });
    let page = 0;
    server.setRequestHandler('tools/list', () => ({ tools: [], nextCursor: String((page += 1)) }));
    await expect(expectWellLabelled(server)).rejects.toThrow('does not end: 1000 pages were read');
  });

  it('fails for a server that lists nothing', async () => {
    const server = new Server(IDENTITY, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [] }));
    await expect(expectWellLabelled(server)).rejects.toThrow('lists no tools');
    const mute = new McpServer(IDENTITY);
    await expect(expectWellLabelled(mute)).rejects.toThrow('The server refused tools/list');
  });

  it('says what to do about a server that is connected already', async () => {
    const server = new McpServer(IDENTITY);
    registerWell(server);
    const client = new Client(IDENTITY);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    await expect(expectWellLabelled(server)).rejects.toThrow('pass a connected client');
    await expectWellLabelled(client);
    await client.close();
  });

  it('starts a server, checks it and ends it', async () => {
    await expectWellLabelled(MEMORY);
    const error = await errorOf(expectWellLabelled(EVERYTHING));
    expect(error).toBeInstanceOf(LabelError);
    expect(error?.message).toContain('- get-sum: Contains "-"');
  });

  it('finds the same through a client', async () => {
    const client = new Client(IDENTITY);
    await client.connect(new StdioClientTransport({ ...EVERYTHING, stderr: 'ignore' }));
    const [direct, asked] = await Promise.all([
      errorOf(expectWellLabelled(EVERYTHING)),
      errorOf(expectWellLabelled(client)),
    ]);
    await client.close();
    expect(asked?.findings.length).toBeGreaterThan(0);
    expect(asked?.findings).toEqual(direct?.findings);
  });
});

describe('a command that is not a good server', () => {
  const node = (code: string) => ({ command: process.execPath, args: ['-e', code] });

  it.each([
    ['does not exist', { command: 'no-such-program' }, /"no-such-program" cannot be started/],
    [
      'ends at once',
      node('console.error("no harbour, token=s3cr3t"); process.exit(3)'),
      /^The server exited early \(code 3\)\. It said: no harbour, token=\[redacted\]$/,
    ],
    [
      'chatters on standard output',
      node('console.log("Welcome!"); process.stdin.resume()'),
      /not JSON-RPC: Welcome! Clients fail on it\. Print it on standard error/,
    ],
  ])('%s', async (_how, command, reason) => {
    await expect(expectWellLabelled(command)).rejects.toThrow(reason);
  });

  it('does not answer', async () => {
    const silent = node('process.stdin.resume()');
    await expect(expectWellLabelled(silent, { timeoutMs: 300 })).rejects.toThrow(
      'The server did not list its tools within 300 ms.',
    );
  });

  it('asks a question of its own first, and gets an answer', async () => {
    const asking = node(`
      const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, error } = JSON.parse(line);
        if (method === 'initialize') say({ id: 'q', method: 'roots/list' });
        if (id === 'q') say({ id: 1, result: {} });
        if (method === 'tools/list') say({ id, result: { tools: [{ name: 'tool_after_' + error }] } });
      });
    `);
    const error = await errorOf(expectWellLabelled(asking));
    expect(error?.findings[0]?.tool).toBe('tool_after_undefined');
  });
});
