/** The capabilities that a client is told, in both eras. */

import type { Ability, Era, Source } from '@callsign/core';
import { extensionCapabilities } from '@callsign/extensions';

import { EVERYTHING } from './greeting.js';
import type { Surface } from './surface.js';

/** The capabilities for a view. If a server is not known yet: everything that it might offer. */
export function announcedCapabilities(
  { isKnown, tasks }: Surface,
  view: Source,
  era: Era,
): Readonly<Record<string, object>> {
  const extensions = extensionCapabilities(
    [...(view.capabilitiesFor?.(era) ?? []), ...tasks.capabilities],
    era,
  );
  if (!isKnown()) return { ...EVERYTHING, ...extensions };
  const { abilities, prompt, resource, template } = view.offer;
  const has = (ability: Ability): boolean => abilities.has(ability);
  const listChanged = true;
  return {
    tools: { listChanged },
    ...(prompt.length > 0 ? { prompts: { listChanged } } : {}),
    ...(resource.length > 0 || template.length > 0
      ? { resources: { listChanged, ...(has('subscribe') ? { subscribe: true } : {}) } }
      : {}),
    ...(has('completions') ? { completions: {} } : {}),
    ...(has('logging') ? { logging: {} } : {}),
    ...extensions,
  };
}
