/** What a server offers, before settings and views, as far as the lock file compares it. */

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
