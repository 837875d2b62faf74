/**
 * Finds the home of a session or a held call, which is the instance that created it. Each id that a
 * client gets contains the name of its home, encrypted, so any instance can send a request on.
 */

import type { SessionRouting, Marked, Relay } from '@callsign/wire';

import type { Instance } from '../../directory/instance-directory.js';
import type { Seal } from '../../keys/seal.js';
import type { CallerSeal } from '../keys/caller-seal.js';
import type { PeerConnections } from '../network/peer-connections.js';
import { relayRequest } from '../network/relay-request.js';

interface InstanceRoutingOptions {
  /** The id of this instance. */
  readonly self: string;
  readonly seal: Seal;
  readonly callers: CallerSeal;
  readonly connections: PeerConnections;
  /** The known instances, this one included. */
  readonly instances: () => readonly Instance[];
  /**
   * Asks the directory for an instance; `undefined` if it does not run. Rejects if that is not known.
   */
  readonly find: (id: string) => Promise<Instance | undefined>;
}

/** The routing of a gateway that runs as several instances. A single process has no need for them. */
export class InstanceRouting implements SessionRouting {
  readonly #options: InstanceRoutingOptions;

  constructor(options: InstanceRoutingOptions) {
    this.#options = options;
  }

  /** The id for a client: this instance and the text, encrypted. */
  mark(text: string): string {
    const { seal, self } = this.#options;
    return seal.seal(`${self} ${text}`);
  }

  /**
   * Reads an id that one of the instances made; `undefined` if none of them did. `relay` is set if
   * its home is another instance.
   */
  open(marked: string): Marked | undefined {
    const { seal, self } = this.#options;
    const opened = seal.open(marked);
    if (opened === undefined) return undefined;
    const space = opened.indexOf(' ');
    const [home, text] = [opened.slice(0, space), opened.slice(space + 1)];
    return home === self ? { text } : { text, relay: this.#relayTo(home) };
  }

  /** A random instance that accepts new sessions; `undefined` if there is no other. */
  elsewhere(): Relay | undefined {
    const { instances, self } = this.#options;
    const others = instances().filter(({ id, state }) => id !== self && state === 'ready');
    const chosen = others[Math.floor(Math.random() * others.length)];
    return chosen && this.#relayTo(chosen.id);
  }

  #relayTo(home: string): Relay {
    const { find, connections, callers } = this.#options;
    return (request, response, { body, caller, gone, unknown }) => {
      const send = (instance: Instance | undefined): void => {
        if (response.destroyed) return;
        if (!instance) return gone();
        const sealed = callers.seal({ caller }, home);
        const relayed = { request, response, body, gone, unreached, caller: sealed };
        void relayRequest(connections, instance, relayed);
      };
      const fail = (): void => {
        if (!response.destroyed) unknown();
      };
      // A session of an instance that still runs must survive, so the client tries again.
      const unreached = (): void =>
        void find(home).then((still) => (still || response.destroyed ? fail() : gone()), fail);
      // The directory may contain an address that is not valid.
      find(home)
        .then(send, fail)
        .catch(() => response.destroy());
    };
  }
}
