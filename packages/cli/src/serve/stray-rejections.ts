/** Keeps the gateway running if a promise is rejected and nothing expected it. */

import type { Log } from '@callsign/core';

/** Such a rejection is a fault in Callsign, but it must not end the calls of all clients. */
export function logStrayRejections(log: Log): () => void {
  const say = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log('error', `Unexpected error. Please report it. ${text}`);
  };
  process.on('unhandledRejection', say);
  return () => process.off('unhandledRejection', say);
}
