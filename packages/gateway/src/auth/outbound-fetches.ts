/** Fetches that follow the address rules of the network settings, and that are closed together. */

import { createOutboundFetch, type NetworkSettings } from '@callsign/auth';

type OutboundFetch = ReturnType<typeof createOutboundFetch>;

/** Owned by the part that creates it, which must close it. */
export class OutboundFetches {
  readonly #fetches: OutboundFetch[] = [];

  /**
   * `configured`: addresses from the configuration. Literal private addresses among them are
   * allowed.
   */
  create(network: NetworkSettings, ...configured: string[]): OutboundFetch {
    const fetch = createOutboundFetch(network, ...configured);
    this.#fetches.push(fetch);
    return fetch;
  }

  close(): void {
    for (const fetch of this.#fetches) fetch.close();
  }
}
