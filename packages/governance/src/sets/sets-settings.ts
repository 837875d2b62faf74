/** The setting `callsign.sets`: named parts of what the servers offer. */

import { type SettingOf, text, texts } from '@callsign/config';
import { RISKS } from '@callsign/effects';
import * as z from 'zod';

/** The words of a label that a set can select by: the risks, and the effect that a label keeps. */
export const LABEL_WORDS = [...RISKS, 'sends'] as const;

/** One word of a label. */
export type LabelWord = (typeof LABEL_WORDS)[number];

const set = z.lazy(() =>
  z
    .strictObject({
      description: z.exactOptional(text('What the set is for, for people.', 'To make a release.')),
      servers: z.exactOptional(
        texts('Servers in the set, with all that they offer, by key.', 'github'),
      ),
      tools: z.exactOptional(
        texts(
          'Tools in the set besides those of "servers", by glob on server:tool. Default: with "servers" none, else all.',
          'github:create_release',
        ),
      ),
      exclude: texts(
        'What is not in the set, by glob on server:name; overrides all others.',
        '*:delete_*',
      ).default([]),
      labels: z.exactOptional(
        z
          .array(z.enum(LABEL_WORDS))
          .min(1)
          .meta({
            description:
              'Only tools whose label has one of these words. "sends": it does something that cannot be taken back. Prompts and resources count as "read".',
            examples: [['read']],
          }),
      ),
    })
    .meta({ examples: [{ servers: ['github'], labels: ['read'] }] }),
);

/** What is in one set. */
export type ToolSet = SettingOf<typeof set>;

/** The schema of `callsign.sets`. */
export const SETS = z.lazy(() =>
  z.record(z.string(), set).meta({
    description:
      'Sets of tools, by name. A client that connects to a set sees and calls only what is in it.',
    examples: [{ reading: { labels: ['read'] } }],
  }),
);

/** The setting `callsign.sets`. Default: there are no sets. */
export type SetsSettings = SettingOf<typeof SETS>;
