/** Finds the failure to list tools among the lists that a server announced and failed to return. */

import type { UpstreamState } from '@callsign/wire';

/** How such a failure begins. */
export const TOOLS_FAILED = 'tools/list ';

/** `undefined`: the server has not started, or its tools were listed. */
export function toolsFailure(state: UpstreamState): string | undefined {
  if (state.is !== 'ready') return undefined;
  return state.failures?.find((failure) => failure.startsWith(TOOLS_FAILED));
}
