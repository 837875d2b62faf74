/** The real `callsign serve` for a whole file of tests: its pipe, or its address. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { BIN } from '../command.js';
import { HttpPeer } from './http-peer.js';
import type { ClientOptions, Era, Peer } from './peer.js';
import { Pipe, PipePeer, type Command } from './pipe-peer.js';
import { removeFolder } from '../../testing/remove-folder.js';

export type Listener = 'stdio' | 'http';

export interface GatewaySetup {
  readonly servers: Readonly<Record<string, Command | { readonly url: string }>>;
  /** The block `callsign` of the configuration. */
  readonly settings?: object;
  readonly flags?: readonly string[];
}

/** A configuration in its own folder, and the command that serves it. */
export function gatewayCommand(
  listener: Listener,
  { servers, settings = {}, flags = [] }: GatewaySetup,
): Command & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-'));
  const config = join(folder, 'callsign.json');
  // Otherwise calls of tools that may change something would wait for the disk. Other tests cover
  // that.
  // A busy machine may start servers slowly, and the first list must be complete.
  const callsign = { audit: { mode: 'off' }, listWaitMs: 60_000, ...settings };
  writeFileSync(config, JSON.stringify({ mcpServers: servers, callsign }));
  const doorFlags = listener === 'stdio' ? ['--stdio'] : ['--http', '0'];
  const args = [BIN, 'serve', '--config', config, ...doorFlags, ...flags];
  return { command: process.execPath, args, folder };
}

export class TestGateway {
  readonly listener: Listener;
  readonly pipe: Pipe;
  readonly #folder: string;

  constructor(listener: Listener, setup: GatewaySetup) {
    const { folder, ...command } = gatewayCommand(listener, setup);
    this.listener = listener;
    this.#folder = folder;
    this.pipe = new Pipe(command);
  }

  /** The address of the HTTP listener, as soon as it is open. */
  async url(path: string = '/mcp'): Promise<string> {
    return new URL(path, await this.pipe.said(/listens on (http:\S+)/)).href;
  }

  /** A client that has introduced itself. On stdio both eras may share the pipe. */
  async connect(era: Era, client: ClientOptions = {}): Promise<Peer> {
    const peer =
      this.listener === 'stdio'
        ? new PipePeer(this.pipe, era, client)
        : new HttpPeer(await this.url(), era, client);
    await peer.open();
    return peer;
  }

  async stop(): Promise<void> {
    if (this.listener === 'http') this.pipe.process.kill('SIGTERM');
    await this.pipe.close();
    removeFolder(this.#folder);
  }
}
