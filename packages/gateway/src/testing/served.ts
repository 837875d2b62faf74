/** A gateway with real servers, and clients at their own listeners. Everything ends with the test. */

import { PassThrough } from 'node:stream';

import { PendingCalls, openStdioListener } from '@callsign/wire';
import { onTestFinished } from 'vitest';

import { child, FAULTY, PLAIN } from '../../../../test/e2e/serve/callsign-process.js';
import { LineClient } from '../../../../test/e2e/serve/line-client.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import { configOf } from '../config/testing/problems-of.js';
import { Gateway } from '../gateway/gateway.js';
import type { GatewayOptions } from '../gateway/gateway-options.js';
import { createLog } from '@callsign/core';

type Entry = Readonly<Record<string, unknown>>;

/** A server entry for the plain fixture. */
export const plain = (...args: string[]): Entry => child(PLAIN, ...args);
export const faulty = (...args: string[]): Entry => child(FAULTY, ...args);

/** A configuration of these servers with these settings. */
export function configured(
  mcpServers: Readonly<Record<string, Entry>>,
  callsign: object = {},
): GatewayConfig {
  // A busy machine starts servers slowly, and the first list must be complete.
  return configOf(JSON.stringify({ mcpServers, callsign: { listWaitMs: 60_000, ...callsign } }));
}

export class Served {
  readonly gateway: Gateway;
  /** The warnings and errors, as `level: message`. */
  readonly logged: string[] = [];

  constructor(config: GatewayConfig, options: Partial<GatewayOptions> = {}) {
    this.gateway = new Gateway(config, {
      self: { name: 'callsign', version: '0' },
      log: createLog('warning', (level, message) => this.logged.push(`${level}: ${message}`)),
      ...options,
    });
    this.gateway.start();
    onTestFinished(() => this.gateway.stop());
  }

  /** A client that announces this name. */
  connect(name?: string, version?: string): Promise<LineClient> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    openStdioListener({
      served: this.gateway.served(),
      pending: new PendingCalls(),
      input,
      output,
      maxMessageBytes: 1024 * 1024,
    });
    onTestFinished(() => {
      input.end();
    });
    return new LineClient(output, input).greet(name, version);
  }
}

/** A gateway whose servers have all started or failed. */
export async function serveAll(
  mcpServers: Readonly<Record<string, Entry>>,
  callsign: object = {},
  options: Partial<GatewayOptions> = {},
): Promise<Served> {
  const served = new Served(configured(mcpServers, callsign), options);
  await served.gateway.settled();
  return served;
}
