/**
 * A whole instance for tests: a listener for clients, a network to other instances, and a source
 * that the test controls.
 */

import { randomUUID } from 'node:crypto';

import { type Clock, Hub } from '@callsign/core';
import { fakeSource, type FakeSource } from '@callsign/core/testing';
import { createServedSource, PendingCalls, HttpListener, type Authenticate } from '@callsign/wire';
import { onTestFinished } from 'vitest';

import type { InstanceDirectory } from '../../directory/instance-directory.js';
import { Membership } from '../../directory/membership.js';
import { InstanceNetwork } from '../instance/instance-network.js';

export interface RunningInstance {
  readonly network: InstanceNetwork;
  readonly membership: Membership;
  readonly listener: HttpListener;
  readonly fake: FakeSource;
  readonly url: string;
  /** The names of the callers that this instance authenticated, in order. */
  readonly checked: string[];
  /** The names of the callers that other instances told it, in order. */
  readonly told: string[];
  /** The headers of requests from other instances. */
  readonly received: string[];
  /** The ids of instances that it reported as unproved. */
  readonly unproved: string[];
  /** Ends everything at once, as a crash would: the directory still lists the instance. */
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

/** Accepts every credential of the form `Bearer NAME`. */
function authenticateInto(checked: string[]): Authenticate {
  return ({ headers }) => {
    const name = /^Bearer (\w+)$/.exec(headers.authorization ?? '')?.[1];
    if (name === undefined) return { status: 401, challenge: 'Bearer', message: 'Who is it?' };
    checked.push(name);
    return { name, roles: [] };
  };
}

/** `enter`: gets the function that lets the instance join. Default: it joins at once. */
export async function runInstance(
  directory: InstanceDirectory,
  secrets: readonly string[] = ['a secret'],
  enter: (join: () => void) => void = (join) => join(),
): Promise<RunningInstance> {
  const [checked, told, received, unproved] = [[], [], [], []] as [
    string[],
    string[],
    string[],
    string[],
  ];
  const fake = fakeSource({ tools: ['work'] });
  const hub = new Hub();
  hub.set('s', fake.source);
  const id = randomUUID();
  const onUnproved = (other: string): void => void unproved.push(other);
  const network = new InstanceNetwork({ id, secrets, host: '127.0.0.1', port: 0, onUnproved });
  const listener = new HttpListener({
    host: '127.0.0.1',
    port: 0,
    served: createServedSource(hub, {
      self: { name: 'callsign', version: '0' },
      routing: network.routing,
    }),
    pending: new PendingCalls({ routing: network.routing }),
    maxBodyBytes: 1_000_000,
    viewOf: () => undefined,
    health: () => ({ status: 'ok' }),
    authenticate: authenticateInto(checked),
    callers: {
      state: (principal) => principal,
      admit: (stated) => {
        if (!stated) return { status: 401, challenge: 'Bearer', message: 'Who is it?' };
        told.push(stated.name);
        return stated;
      },
    },
  });
  network.onClient = (request, response, relayed) => {
    received.push(request.rawHeaders.join('\n'));
    listener.take(request, response, relayed);
  };
  const self = { ...(await network.listen()), id, configuration: '', version: '0' };
  const membership = new Membership({
    directory,
    clock: CLOCK,
    self: { ...self, state: 'ready' },
    everyMs: 50,
  });
  await membership.open();
  enter(() => network.join(membership));
  const url = `http://127.0.0.1:${await listener.listen()}/mcp`;
  onTestFinished(async () => {
    await Promise.all([listener.close(), membership.close(), network.close()]);
  });
  const crash = async (): Promise<void> => {
    await network.close();
    await listener.close();
  };
  const seen = { checked, told, received, unproved };
  return { network, membership, listener, fake, url, ...seen, crash };
}
