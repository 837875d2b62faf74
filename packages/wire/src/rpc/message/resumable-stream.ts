/** Keeps a subscription at a stateless server open. Some hosts end every stream after some seconds. */

import { memberText, type Reply } from '@callsign/core';

import { restartDelay } from '../stream/backoff.js';
import { UPSTREAM_ERROR } from './rpc-error.js';

/** The pauses get longer if a stream ends early. */
const PAUSES = { initialMs: 1_000, maxMs: 60_000, giveUpAfter: Infinity };
const EARLY_MS = 30_000;

/** A connection to a stateless server. */
export interface ListeningConnection {
  readonly isClosed: boolean;
  /** Sends a request that is answered by a stream. Returns a function that ends it. */
  listen(method: string, params: string, onEnd: (reply: Reply) => void): () => void;
}

export interface ResumableStreamOptions {
  /** The parameters of the request, as JSON text. */
  readonly params: string;
  /** Called when it listens again after a pause, in which no change was reported. */
  readonly onMissed?: () => void;
  /** Called once, when it is over: ended by us, refused by the server, or the connection is closed. */
  readonly onOver?: () => void;
}

/** Listens as long as the connection is open and the server does not refuse. Returns a function that ends it. */
export function keepListening(
  connection: ListeningConnection,
  { params, onMissed, onOver }: ResumableStreamOptions,
): () => void {
  let earlyEnds = 0;
  let isStopped = false;
  let stop: (() => void) | undefined;
  const listen = (): void => {
    const openedAt = performance.now();
    stop = connection.listen('subscriptions/listen', params, ({ ok, json }) => {
      // An error of the server itself is final. Anything else is a broken stream.
      const isRefused = !ok && memberText(json, 'code') !== String(UPSTREAM_ERROR);
      if (isStopped) return;
      if (isRefused || connection.isClosed) return onOver?.();
      earlyEnds = performance.now() - openedAt < EARLY_MS ? earlyEnds + 1 : 0;
      setTimeout(again, restartDelay(Math.max(1, earlyEnds), PAUSES)).unref();
    });
  };
  const again = (): void => {
    if (isStopped) return;
    if (connection.isClosed) return onOver?.();
    listen();
    onMissed?.();
  };
  listen();
  return () => {
    if (isStopped) return;
    isStopped = true;
    stop?.();
    onOver?.();
  };
}
