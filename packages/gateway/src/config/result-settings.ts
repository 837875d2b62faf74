/** The key `results`: what happens to results before clients get them. */

import { count, milliseconds } from '@callsign/config';
import * as z from 'zod';

const MIB = 1024 * 1024;
const LEAST = 1_000;

const LIMIT = z.union([z.literal('off'), z.int().min(LEAST)], {
  error: `must be "off", or a number of characters of at least ${LEAST}`,
});

export const RESULTS = z.lazy(() =>
  z
    .strictObject({
      previewAbove: z
        .union(
          [
            LIMIT,
            z.record(z.string(), LIMIT).meta({ examples: [{ '*': 50_000, cursor: 20_000 }] }),
          ],
          { error: 'must be a number of characters, "off", or one of these for each client' },
        )
        .meta({
          description:
            'Longer results of tools are stored, and clients get a preview. Characters, or characters by the profile of the client, "*" for all others. Clients that do it themselves get no previews unless they are named.',
          examples: [50_000],
        })
        .default('off'),
      keepMs: milliseconds('How long a stored result can be read.', 3_600_000),
      maxStored: count('How many results are stored for one caller; then the oldest go.', 1, 100),
      maxStoredBytes: count(
        'How much is stored for all callers together, in bytes; then the oldest go.',
        MIB,
        256 * MIB,
      ),
      secrets: z
        .enum(['off', 'log', 'mask', 'block'])
        .meta({
          description:
            'What happens to results that contain secrets: nothing, a warning in the log, "[redacted]" in place of each secret, or an error instead of the result.',
        })
        .default('off'),
    })
    .meta({
      description: 'Long results, and secrets in results.',
      examples: [{ previewAbove: 50_000 }],
    })
    .prefault({}),
);

export type ResultSettings = z.output<typeof RESULTS>;

/** Claude Code writes long results to a file by itself. */
const OWN_PREVIEWS: ReadonlySet<string> = new Set(['claude-code']);

/** The most characters of a result that a client gets at once. `undefined`: there is no limit. */
export function previewLimit(
  { previewAbove }: ResultSettings,
  profile: string,
): number | undefined {
  const all = typeof previewAbove === 'object' ? previewAbove : { '*': previewAbove };
  const usual = OWN_PREVIEWS.has(profile) ? 'off' : all['*'];
  const limit = Object.hasOwn(all, profile) ? all[profile] : usual;
  return typeof limit === 'number' ? limit : undefined;
}

/** Whether any client may get a preview. */
export function hasPreviews({ previewAbove }: ResultSettings): boolean {
  const limits = typeof previewAbove === 'object' ? Object.values(previewAbove) : [previewAbove];
  return limits.some((limit) => limit !== 'off');
}
