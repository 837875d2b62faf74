/** The homes of sessions and held calls: each id names the instance that made it, sealed. */

import type { Instance, Seal } from '@callsign/instances';
import type { Homes, Marked, Relay } from '@callsign/wire';

import type { PeerConnections } from '../network/peer-connections.js';
import { relayRequest } from '../network/relay-request.js';

export interface InstanceHomesOptions {
  /** The id of this instance. */
  readonly self: string;
  readonly seal: Seal;
  readonly connections: PeerConnections;
  /** The known instances, this one included. */
  readonly instances: () => readonly Instance[];
  readonly find: (id: string) => Promise<Instance | undefined>;
}

export class InstanceHomes implements Homes {
  readonly #options: InstanceHomesOptions;

  constructor(options: InstanceHomesOptions) {
    this.#options = options;
  }

  mark(text: string): string {
    const { seal, self } = this.#options;
    return seal.seal(`${self} ${text}`);
  }

  open(marked: string): Marked | undefined {
    const { seal, self } = this.#options;
    const opened = seal.open(marked);
    if (opened === undefined) return undefined;
    const space = opened.indexOf(' ');
    const [home, text] = [opened.slice(0, space), opened.slice(space + 1)];
    return home === self ? { text } : { text, relay: this.#relayTo(home) };
  }

  elsewhere(): Relay | undefined {
    const { instances, self } = this.#options;
    const others = instances().filter(({ id, state }) => id !== self && state === 'ready');
    const chosen = others[Math.floor(Math.random() * others.length)];
    return chosen && this.#relayTo(chosen.id);
  }

  #relayTo(home: string): Relay {
    const { find, connections } = this.#options;
    return (request, response, { body, gone }) => {
      const send = (instance: Instance | undefined): void => {
        if (response.destroyed) return;
        if (!instance) return gone();
        relayRequest(connections, instance, { request, response, body, gone });
      };
      // While the directory cannot be reached, an instance that is not on the last list counts as gone.
      find(home).then(send, () => send(undefined));
    };
  }
}
