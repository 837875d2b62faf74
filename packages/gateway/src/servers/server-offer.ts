/** The part of a server's offer that the lock file compares, before settings and views. */

import type { Item } from '@callsign/core';
import type { Upstream } from '@callsign/wire';

export interface ServerOffer {
  readonly tools: readonly Item[];
  readonly prompts: readonly Item[];
  readonly templates: readonly Item[];
  readonly instructions?: string;
}

export function serverOffer({
  offer,
  instructions,
}: Partial<Pick<Upstream, 'offer' | 'instructions'>> = {}): ServerOffer {
  const { tool = [], prompt = [], template = [] } = offer ?? {};
  return {
    tools: tool,
    prompts: prompt,
    templates: template,
    ...(instructions === undefined ? {} : { instructions }),
  };
}
