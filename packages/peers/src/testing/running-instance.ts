/** An instance for tests: a listener for clients, a network to the others, and a source that the test controls. */

import type { IncomingMessage } from 'node:http';

import { type Clock, Hub, View } from '@callsign/core';
import { fakeSource, type FakeSource } from '@callsign/core/testing';
import { type InstanceDirectory } from '@callsign/instances';
import { CANONICAL } from '@callsign/naming';
import { createSurface, HeldCalls, HttpListener, type Authenticate } from '@callsign/wire';
import { onTestFinished } from 'vitest';

import { InstanceNetwork } from '../instance/instance-network.js';

export interface RunningInstance {
  readonly network: InstanceNetwork;
  readonly listener: HttpListener;
  readonly fake: FakeSource;
  readonly url: string;
  /** The credentials that were checked here. */
  readonly checked: string[];
  /** Ends everything at once, as a crash does: the directory still names the instance. */
  crash(): Promise<void>;
}

export const CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Credentials of these tests are `Bearer NAME`. */
function authenticateInto(checked: string[]): Authenticate {
  return ({ headers }: IncomingMessage) => {
    const name = /^Bearer (\w+)$/.exec(headers.authorization ?? '')?.[1];
    if (name === undefined) return { status: 401, challenge: 'Bearer', message: 'Who is it?' };
    checked.push(name);
    return { name, roles: [] };
  };
}

export async function runInstance(
  directory: InstanceDirectory,
  secrets: readonly string[] = ['a secret'],
): Promise<RunningInstance> {
  const checked: string[] = [];
  const fake = fakeSource({ tools: ['work'] });
  const hub = new Hub();
  hub.set('s', fake.source);
  const view = new View(hub, { profile: CANONICAL });
  const network = new InstanceNetwork({
    directory,
    clock: CLOCK,
    secrets,
    host: '127.0.0.1',
    port: 0,
    configuration: 'same',
    version: '0',
    log: () => undefined,
    everyMs: 50,
  });
  const listener = new HttpListener({
    host: '127.0.0.1',
    port: 0,
    surface: createSurface(view, {
      self: { name: 'callsign', version: '0' },
      homes: network.homes,
    }),
    held: new HeldCalls({ homes: network.homes }),
    maxBodyBytes: 1_000_000,
    viewOf: () => undefined,
    health: () => ({ status: 'ok' }),
    authenticate: authenticateInto(checked),
  });
  network.onClient = (request, response) => listener.take(request, response, true);
  await network.open();
  const url = `http://127.0.0.1:${await listener.listen()}/mcp`;
  onTestFinished(async () => {
    await Promise.all([listener.close(), network.close()]);
  });
  const crash = async (): Promise<void> => {
    const { leave } = directory;
    directory.leave = () => Promise.resolve();
    await network.close();
    await listener.close();
    directory.leave = leave;
  };
  return { network, listener, fake, url, checked, crash };
}
