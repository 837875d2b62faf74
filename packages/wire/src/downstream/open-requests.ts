/** The requests of a client that have no answer yet. */

import { InFlight, memberText } from '@callsign/core';

import type { Message } from '../rpc/message/message.js';

export class OpenRequests {
  readonly #ids = new InFlight<string, true>();
  #onNone: (() => void) | undefined;

  /** Notes a message from the client: a request, or the end of one. A subscription stays open by itself. */
  note({ id, method, params = '{}' }: Message): void {
    if (method === undefined || method === 'subscriptions/listen') return;
    if (id !== undefined) this.#ids.set(id, true);
    else if (method === 'notifications/cancelled')
      this.answered(memberText(params, 'requestId') ?? '');
  }

  /** The request has its answer, or gets none. */
  answered(id: string): void {
    if (this.#ids.delete(id) && this.#ids.size === 0) this.#onNone?.();
  }

  /** Resolves when no request is open, or after this time. */
  async settled(limitMs: number): Promise<void> {
    if (this.#ids.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onNone = resolve;
      timer = setTimeout(resolve, limitMs);
    });
    clearTimeout(timer);
  }
}
