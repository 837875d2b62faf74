/** The capabilities that a client is told, in both eras. */

import {
  type Ability,
  type Era,
  KINDS,
  type Offer,
  type Outline,
  type Source,
} from '@callsign/core';

import { extensionCapabilities } from '../extensions/capabilities/extension-capabilities.js';
import { EVERYTHING } from './initialize-result.js';
import type { ServedSource } from './served-source.js';

/** The capabilities for a view. If a server is not known yet: everything that it might offer. */
export function announcedCapabilities(
  { isKnown, tasks }: ServedSource,
  view: Source,
  era: Era,
): Readonly<Record<string, object>> {
  const extensions = extensionCapabilities(
    [...(view.capabilitiesFor?.(era) ?? []), ...tasks.capabilities],
    era,
  );
  if (!isKnown()) return { ...EVERYTHING, ...extensions };
  const { abilities, kinds } = view.outline ?? outlineOf(view.offer);
  const has = (ability: Ability): boolean => abilities.has(ability);
  const listChanged = true;
  return {
    tools: { listChanged },
    ...(kinds.has('prompt') ? { prompts: { listChanged } } : {}),
    ...(kinds.has('resource') || kinds.has('template')
      ? { resources: { listChanged, ...(has('subscribe') ? { subscribe: true } : {}) } }
      : {}),
    ...(has('completions') ? { completions: {} } : {}),
    ...(has('logging') ? { logging: {} } : {}),
    ...extensions,
  };
}

function outlineOf(offer: Offer): Outline {
  const kinds = new Set(KINDS.filter((kind) => offer[kind].length > 0));
  return { kinds, abilities: offer.abilities };
}
