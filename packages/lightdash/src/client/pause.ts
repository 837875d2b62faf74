/** Waits. If the call is cancelled, throws the signal's reason. */

import { setTimeout as sleep } from 'node:timers/promises';

export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
