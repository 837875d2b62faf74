// A real gateway with a plain file of two servers, which runs as long as one target.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const PLAIN = resolve('test/fixtures/plain-child.mjs');
/** How much its memory may grow. */
const MAX_GROWTH_MB = 400;
const PATIENCE_MS = 20_000;

export async function startGateway(...flags) {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-fuzz-'));
  const config = join(folder, 'mcp.json');
  const server = { command: process.execPath, args: [PLAIN] };
  writeFileSync(config, JSON.stringify({ mcpServers: { one: server, two: server } }));
  const command = [resolve('packages/cli/bin/callsign.cjs'), 'serve', '--config', config, ...flags];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, XDG_STATE_HOME: folder },
  });
  const gateway = new FuzzedGateway(child, folder);
  child.stderr.setEncoding('utf8').on('data', (text) => (gateway.stderr += text));
  child.on('exit', (code, signal) => (gateway.exit = `${code ?? signal}`));
  return gateway;
}

class FuzzedGateway {
  stderr = '';
  exit;

  constructor(child, folder) {
    this.child = child;
    this.folder = folder;
  }

  async until(isSo, what) {
    const end = performance.now() + PATIENCE_MS;
    while (!isSo()) {
      this.alive();
      if (performance.now() > end) throw new Error(`timed out waiting for ${what}`);
      await pause(5);
    }
  }

  /** Fails if the gateway has ended or uses too much memory. */
  alive() {
    if (this.exit !== undefined)
      throw new Error(`the gateway ended (${this.exit}): ${this.stderr.slice(-2000)}`);
    if (process.platform !== 'linux') return;
    const megabytes =
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))?.[1]) /
      1024;
    this.start ??= megabytes;
    if (megabytes > this.start + MAX_GROWTH_MB)
      throw new Error(`the gateway uses ${Math.round(megabytes)} MB`);
  }

  async close() {
    this.child.kill('SIGKILL');
    await pause(200);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
