/** A server asks for the roots of its caller while several clients call it. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { startGateway, type GatewayProcess, type RawClient } from '../gateway-process.js';
import { ENVELOPE } from '../stateless-envelope.js';
import type { Message } from './raw-client.js';
import { textOf } from './tool-results.js';

const SCRIPT = join(import.meta.dirname, 'roots-child.mjs');

/** The address of a server over HTTP, which ends with the test. */
async function startOverHttp(): Promise<string> {
  const child = spawn(process.execPath, [SCRIPT, '--http']);
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const text of child.stderr.setEncoding('utf8')) {
    const url = /listening (\S+)/.exec(String(text))?.[1];
    if (url) return url;
  }
  throw new Error('The server has exited.');
}

async function serve(isHttp = false): Promise<GatewayProcess> {
  const entry = isHttp
    ? { type: 'http', url: await startOverHttp() }
    : { command: process.execPath, args: [SCRIPT] };
  const servers = { roots: entry as { command: string } };
  return startGateway({ servers, listener: 'http' });
}

/** `roots`: whether the client has any. Its only root is its name. */
async function connect(gateway: GatewayProcess, name: string, roots: boolean): Promise<RawClient> {
  const client = await gateway.connect({ name, capabilities: roots ? { roots: {} } : {} });
  client.on('roots/list', () => ({ roots: [{ uri: `file:///${name}` }] }));
  await client.tools();
  return client;
}

const TOOLS = ['plan', 'split', 'plan', 'split', 'plan', 'split'];

/** Later calls know that these tools ask. Otherwise a call would wait for its turn for a second at most. */
async function introduce(client: RawClient): Promise<void> {
  for (const tool of ['plan', 'split']) await client.call(`roots:${tool}`);
}

/** What the server learned during each of several calls at once. */
async function callAtOnce(client: RawClient, tools = TOOLS): Promise<string[][]> {
  return Promise.all(tools.map(async (tool) => learned(await client.call(`roots:${tool}`))));
}

function learned({ result, error }: Message): string[] {
  return result ? (JSON.parse(textOf(result)) as string[]) : [`failed: ${error!.message}`];
}

/** A call of a client without a session. */
async function callStateless(url: string, name: string): Promise<string[]> {
  const params = { name, arguments: {}, _meta: ENVELOPE };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const text = await response.text();
  return learned(JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as Message);
}

const REFUSED = expect.stringContaining('cannot answer roots/list');
const each = (answer: unknown, tools = TOOLS): unknown[] =>
  tools.map(() => [answer, answer, answer]);

describe('a server that asks for roots three times during each call of two clients', () => {
  it.each([
    ['stdio, none has roots', false, false, false],
    ['stdio, both have roots', false, true, true],
    ['stdio, one has roots', false, true, false],
    ['HTTP, none has roots', true, false, false],
  ])(
    'gets the answers of the caller alone, and answers all calls: %s (R1)',
    async (_, isHttp, ...has) => {
      const gateway = await serve(isHttp);
      const ada = await connect(gateway, 'ada', has[0]!);
      const bob = await connect(gateway, 'bob', has[1]!);
      await introduce(bob);
      const [ofAda, ofBob] = await Promise.all([callAtOnce(ada), callAtOnce(bob)]);
      expect(ofAda).toEqual(each(has[0] ? 'file:///ada' : REFUSED));
      expect(ofBob).toEqual(each(has[1] ? 'file:///bob' : REFUSED));
    },
  );

  it.each([
    ['both have roots', true],
    ['one has roots', false],
  ])(
    'learns over HTTP, on the stream without requests, to assign them: %s (R1)',
    async (_, bobHas) => {
      const gateway = await serve(true);
      const ada = await connect(gateway, 'ada', true);
      const bob = await connect(gateway, 'bob', bobHas);
      // Most servers name the call of a question over HTTP, so the first calls overlap.
      const first = await Promise.all([callAtOnce(ada, ['plan']), callAtOnce(bob, ['plan'])]);
      expect(first[0].flat()).not.toContain('file:///bob');
      expect(first[1].flat()).not.toContain('file:///ada');
      expect(first.flat(2).filter((answer) => answer.startsWith('failed'))).toEqual([]);
      const known = ['plan', 'plan', 'plan'];
      const [ofAda, ofBob] = await Promise.all([callAtOnce(ada, known), callAtOnce(bob, known)]);
      expect(ofAda).toEqual(each('file:///ada', known));
      expect(ofBob).toEqual(each(bobHas ? 'file:///bob' : REFUSED, known));
    },
  );

  it('gets refusals for stateless clients, and the roots of a session beside them (R1)', async () => {
    const gateway = await serve();
    const ada = await connect(gateway, 'ada', true);
    await introduce(ada);
    const [ofAda, ofBob] = await Promise.all([
      callAtOnce(ada),
      Promise.all(TOOLS.map((tool) => callStateless(gateway.url, `roots:${tool}`))),
    ]);
    expect(ofAda).toEqual(each('file:///ada'));
    expect(ofBob).toEqual(each(REFUSED));
  });

  it('gets the roots of others when a client leaves during its calls, and one comes (R1)', async () => {
    const gateway = await serve();
    const ada = await connect(gateway, 'ada', true);
    const bob = await connect(gateway, 'bob', true);
    await introduce(bob);
    ada.on('roots/list', () => new Promise(() => undefined));
    void callAtOnce(ada);
    await expect.poll(() => ada.count('roots/list')).toBeGreaterThan(0);
    const ofBob = callAtOnce(bob);
    await ada.leave();
    const cid = await connect(gateway, 'cid', true);
    expect(await callAtOnce(cid)).toEqual(each('file:///cid'));
    expect(await ofBob).toEqual(each('file:///bob'));
  });
});
