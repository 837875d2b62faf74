import { spawn } from 'node:child_process';

import { describe, expect, it, onTestFinished } from 'vitest';

import { PLAIN } from '../../../../test/e2e/serve/callsign-process.js';
import { plain, serveAll } from '../testing/served.js';

/** Starts a server that listens on its own port. Returns its address. */
async function remote(...args: string[]): Promise<string> {
  const server = spawn(process.execPath, [PLAIN, ...args], { stdio: ['pipe', 'ignore', 'pipe'] });
  onTestFinished(() => {
    server.kill();
  });
  return new Promise((resolve) => {
    let text = '';
    server.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const url = /listening (\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

describe('a remote server', () => {
  it.each([
    ['of the session era', ['--http', '0'], { type: 'http' }, {}],
    ['of the stateless era', ['--stateless', '--http', '0'], { type: 'http' }, {}],
    ['of which only the address is known', ['--dual', '--http', '0'], {}, {}],
    ['of the older kind', ['--sse', '0'], { type: 'sse' }, {}],
    [
      'of the older kind, in an era that it does not know',
      ['--sse', '0'],
      { type: 'sse' },
      { era: 'stateless' },
    ],
    ['of the older kind of which only the address is known', ['--sse', '0'], {}, {}],
  ])('%s answers together with a local one', async (_, args, fields, settings) => {
    const url = await remote(...args);
    const served = await serveAll(
      { far: { url, ...fields }, near: plain() },
      { servers: { far: settings } },
    );
    const client = await served.connect();
    expect(served.logged).toEqual([]);
    expect(await client.toolNames()).toContain('far:echo');
    const { result } = await client.call('far:echo', { a: 1 });
    expect(result?.structuredContent).toEqual({ a: 1 });
    expect(await client.pid('far')).not.toBe(await client.pid('near'));
  });

  it('that cannot be reached is named, and the others serve', async () => {
    const served = await serveAll({ far: { url: 'http://127.0.0.1:9/mcp' }, near: plain() });
    const client = await served.connect();
    expect((await client.call('near:echo')).result).toBeDefined();
    expect(served.logged[0]).toMatch(/^warning: \[far\] .*refused/);
  });
});
