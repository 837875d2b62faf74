/** Waits until a server can be called, or cannot start. */

import type { Upstream, UpstreamState } from '@callsign/wire';

/** False if it failed or was stopped. */
export function becomesReady(upstream: Upstream): Promise<boolean> {
  const known = isReady(upstream.state);
  if (known !== undefined) return Promise.resolve(known);
  return new Promise((resolve) => {
    const stop = upstream.onState((state) => {
      const ready = isReady(state);
      if (ready === undefined) return;
      stop();
      resolve(ready);
    });
  });
}

/** `undefined`: not known yet. */
function isReady({ is }: UpstreamState): boolean | undefined {
  if (is === 'ready') return true;
  return is === 'failed' || is === 'stopped' ? false : undefined;
}
