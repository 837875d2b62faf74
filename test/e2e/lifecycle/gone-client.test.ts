/** A client disconnects during a call that reports progress without end. */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import {
  gatewayEntry,
  startGateway,
  temporaryFolder,
  writeConfig,
  type ServerEntry,
} from '../gateway-process.js';
import { ENVELOPE } from '../stateless-envelope.js';

function ticking(): { servers: Record<string, ServerEntry>; cancelled: () => string } {
  const file = join(temporaryFolder(), 'cancelled');
  const args = [join(import.meta.dirname, 'ticking-child.mjs'), file];
  return {
    servers: { clock: { command: process.execPath, args } },
    cancelled: () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
  };
}

const message = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const tick = (meta: object): string =>
  message(2, 'tools/call', { name: 'clock:tick', _meta: { progressToken: 'p', ...meta } });
const HELLO = message(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'gone', version: '1' },
});

describe('a call with endless progress', () => {
  it.each([
    ['session', [HELLO, tick({})]],
    ['stateless', [tick(ENVELOPE)]],
  ])(
    'is cancelled at the server when its client on stdio is gone, %s era (G9)',
    async (_, lines) => {
      const { servers, cancelled } = ticking();
      const { command, args } = gatewayEntry(writeConfig({ servers }, 'gone-client'));
      const gateway = spawn(command, args!);
      onTestFinished(() => void gateway.kill('SIGKILL'));
      gateway.stdin.on('error', () => undefined).write(lines.map((line) => `${line}\n`).join(''));
      let heard = '';
      gateway.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
      await expect.poll(() => heard).toContain('notifications/progress');
      const exited = new Promise((resolve) => void gateway.once('exit', resolve));
      gateway.stdin.destroy();
      gateway.stdout.destroy();
      await exited;
      expect(cancelled()).toBe('cancelled\n');
    },
  );

  it('is cancelled at the server and counted when its stateless client over HTTP is gone (G9)', async () => {
    const { servers, cancelled } = ticking();
    const gateway = await startGateway({ servers, listener: 'http' });
    const abort = new AbortController();
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'clock:tick',
      },
      body: tick(ENVELOPE),
      signal: abort.signal,
    });
    const { value } = await response.body!.getReader().read();
    expect(Buffer.from(value!).toString()).toContain('notifications/progress');
    abort.abort();
    await expect.poll(cancelled).toBe('cancelled\n');
    const metrics = async (): Promise<string> =>
      (await fetch(new URL('/metrics', gateway.url))).text();
    await expect.poll(metrics).toMatch(/server="clock".*outcome="call-cancelled".* 1\n/);
  });
});
