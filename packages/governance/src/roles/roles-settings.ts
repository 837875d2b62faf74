/** The settings `callsign.roles` and `callsign.access`: who may see and call what. */

import { texts } from '@callsign/config';
import { type Risk, RISKS } from '@callsign/effects';
import * as z from 'zod';

/** What callers with this role may see and use. */
export interface Role {
  /** The allowed items, by glob on `server:tool`. */
  readonly allow: readonly string[];
  /** The denied items, by glob. A denial takes precedence over every permission. */
  readonly deny: readonly string[];
  /** The highest risk, by the operator's overrides alone. Unset: any risk. */
  readonly maxRisk?: Risk;
  /** Whether callers with this role may read `/metrics`, which names all servers. */
  readonly metrics?: boolean;
}

/** The two settings together. `access` counts only if `roles` is set. */
export interface RolesSettings {
  /** Unset: every caller may use everything. */
  readonly roles?: Readonly<Record<string, Role>>;
  readonly access: AccessSettings;
}

/** The setting `callsign.access`. It counts only if `callsign.roles` is set. */
export interface AccessSettings {
  /** The roles of callers without a credential. */
  readonly anonymous: readonly string[];
}

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
      metrics: z.exactOptional(
        z.boolean().meta({
          description: 'Whether its holders may read /metrics, which names all servers.',
          examples: [true],
        }),
      ),
    })
    .meta({ examples: [{ allow: ['*:get_*'] }] }),
);

/** The schema of `callsign.roles`. Unset: every caller may use everything. */
export const ROLES: z.ZodType<Readonly<Record<string, Role>>> = z.lazy(() =>
  z.record(z.string(), role).meta({
    description: 'What callers with a role may see and call, by the name of the role.',
    examples: [{ reader: { allow: ['*:get_*'] } }],
  }),
);

/** The schema of `callsign.access`. Unset: callers without a credential have no role. */
export const ACCESS: z.ZodType<AccessSettings> = z.lazy(() =>
  z
    .strictObject({
      anonymous: texts('Roles of callers without a credential.', 'reader').default([]),
    })
    .meta({ description: 'Who has which roles.', examples: [{ anonymous: ['reader'] }] })
    .prefault({}),
);
