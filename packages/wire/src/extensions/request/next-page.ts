/** Lists of the gateway have one page. */

import { memberText } from '@callsign/core';

/** Whether a request asks for a page after the first. Some clients send `"cursor": null` for the first. */
export function asksForNextPage(params: string): boolean {
  const cursor = params.startsWith('{') ? memberText(params, 'cursor') : undefined;
  return cursor !== undefined && cursor !== 'null';
}
