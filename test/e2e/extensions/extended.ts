/** The extended fixture, behind gateways and connected directly. */

import { onTestFinished } from 'vitest';

import { TestGateway, type GatewaySetup, type Listener } from '../clients/gateway.js';
import type { ClientOptions, Era, Peer } from '../clients/peer.js';
import { Pipe, PipePeer, type Command } from '../clients/pipe-peer.js';
import { fixtureFile } from '../../testing/fixture.js';

export function extended(...flags: string[]): Command {
  return { command: process.execPath, args: [fixtureFile('extended-child'), ...flags] };
}

/** A gateway that ends with the test. */
export function gatewayWith(listener: Listener, setup: GatewaySetup): TestGateway {
  const gateway = new TestGateway(listener, setup);
  onTestFinished(() => gateway.stop());
  return gateway;
}

/** A client connected directly to the server, and the answer to its first request. */
export async function directly(
  command: Command,
  era: Era,
  client: ClientOptions = {},
): Promise<Peer> {
  const peer = new PipePeer(new Pipe(command), era, client);
  onTestFinished(() => peer.close());
  await peer.open();
  return peer;
}

/** The result of a request, parsed. */
export async function resultOf<T extends object>(
  peer: Peer,
  method: string,
  params: object = {},
  meta = '',
): Promise<T> {
  const members = JSON.stringify(params).slice(1, -1);
  const { result, error } = await peer.request(method, members, meta);
  if (result === undefined) throw new Error(error);
  return JSON.parse(result) as T;
}

/** The error of a request, parsed. */
export async function errorOf(
  peer: Peer,
  method: string,
  params: object = {},
): Promise<{ code: number; message: string; data?: unknown }> {
  const { result, error } = await peer.request(method, JSON.stringify(params).slice(1, -1));
  if (error === undefined) throw new Error(`No error: ${result}`);
  return JSON.parse(error);
}
