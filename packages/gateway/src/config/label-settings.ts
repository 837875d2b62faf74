/** Labels in the configuration: hints that override claims, and hints to assume. */

import { type SettingOf, text } from '@callsign/config';
import { type Hint, type PresetName, PRESETS } from '@callsign/effects';
import * as z from 'zod';

const presetNames = Object.keys(PRESETS) as PresetName[];
const preset = z.lazy(() =>
  z.enum(presetNames).meta({ description: 'A named set of all four hints.' }),
);

const hint = (description: string) =>
  z.exactOptional(z.boolean().meta({ description, examples: [true] }));

const hintFields = () =>
  ({
    readOnlyHint: hint('Changes nothing.'),
    destructiveHint: hint('May delete or overwrite.'),
    idempotentHint: hint('A second call with the same arguments changes nothing more.'),
    openWorldHint: hint('Deals with systems beyond the server.'),
  }) satisfies Record<Hint, unknown>;

export const ASSUMED = z.lazy(() =>
  z
    .union([preset, z.strictObject(hintFields())], {
      error: 'must be the name of a preset, or hints',
    })
    .meta({
      description: 'Hints for tools of this server that state none themselves.',
      examples: ['READ_ONLY_DEFAULT', { readOnlyHint: true }],
    }),
);

const DIGEST = /^sha256:[\da-f]{64}$/;

export const ANNOTATIONS = z.lazy(() =>
  z
    .record(
      z.string(),
      z
        .strictObject({
          preset: z.exactOptional(preset),
          ...hintFields(),
          accepted: z.exactOptional(
            z
              .string()
              .refine((digest) => DIGEST.test(digest), {
                error: 'must be "sha256:" and 64 hexadecimal digits',
                params: { advice: 'remove this line, then run callsign labels review' },
              })
              .meta({
                pattern: DIGEST.source,
                description:
                  'The definition that the hints were accepted for. They expire when it changes. Written by callsign labels review.',
                examples: [`sha256:${'0'.repeat(64)}`],
              }),
          ),
          title: z.exactOptional(text('Title of the tool.', 'Create Issue')),
        })
        .meta({ examples: [{ preset: 'READ_ONLY_DEFAULT' }] }),
    )
    .meta({
      description: "Hints that override the server's claims, by glob on server:tool.",
      examples: [{ 'github:get_*': { preset: 'READ_ONLY_OPEN_WORLD' } }],
    })
    .default({}),
);

/** An override as in the file. Reading it replaces `preset` by its hints. */
export type WrittenOverride = SettingOf<typeof ANNOTATIONS>[string];
