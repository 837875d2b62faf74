/** The settings `callsign.roles` and `callsign.access`: who may see and call what. */

import { type SettingOf, text, texts } from '@callsign/config';
import { RISKS } from '@callsign/effects';
import * as z from 'zod';

import type { SetsSettings } from '../sets/sets-settings.js';

const role = z.lazy(() =>
  z
    .strictObject({
      allow: texts('What it may use, by glob on server:tool.', '*:get_*').default([]),
      deny: texts('What it may not use, by glob; overrides every "allow".', 'hr:*').default([]),
      maxRisk: z.exactOptional(
        z.enum(RISKS).meta({
          description:
            'The highest risk that it may use. Only labels in "annotations" of this file count.',
          examples: ['read'],
        }),
      ),
      set: z.exactOptional(
        text('A set of "sets". It allows only what is in this set, at every address.', 'reading'),
      ),
      metrics: z.exactOptional(
        z.boolean().meta({
          description: 'Whether its holders may read /metrics, which names all servers.',
          examples: [true],
        }),
      ),
    })
    .meta({ examples: [{ allow: ['*:get_*'] }] }),
);

/** What callers with this role may see and use. A denial takes precedence over every permission. */
export type Role = SettingOf<typeof role>;

/** The schema of `callsign.roles`. Default: every caller may use everything. */
export const ROLES = z.lazy(() =>
  z.record(z.string(), role).meta({
    description: 'What callers with a role may see and call, by the name of the role.',
    examples: [{ reader: { allow: ['*:get_*'] } }],
  }),
);

/** The schema of `callsign.access`. Default: callers without a credential have no role. */
export const ACCESS = z.lazy(() =>
  z
    .strictObject({
      anonymous: texts('Roles of callers without a credential.', 'reader').default([]),
    })
    .meta({ description: 'Who has which roles.', examples: [{ anonymous: ['reader'] }] })
    .prefault({}),
);

/** The setting `callsign.access`. It counts only if `callsign.roles` is set. */
export type AccessSettings = SettingOf<typeof ACCESS>;

/** The settings together. `access` counts only if `roles` is set. */
export interface RolesSettings {
  /** Default: every caller may use everything. */
  readonly roles?: SettingOf<typeof ROLES>;
  readonly access: AccessSettings;
  /** The sets that roles name. Nothing is in a set that is missing. */
  readonly sets?: SetsSettings | undefined;
}
