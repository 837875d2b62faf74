/** The key `profiles` of the settings: profiles of clients that Callsign does not know. */

import { type ProfileId, PROFILES } from '@callsign/naming';
import * as z from 'zod';

import { text, texts } from '@callsign/config';

import { WHOLE_VIEW } from './view-settings.js';

const BASES = [...PROFILES].flatMap(([id, { separator }]) => (separator === '__' ? [id] : []));

const ownProfile = z.lazy(() =>
  z
    .strictObject({
      like: z.exactOptional(
        z
          .enum(BASES as [ProfileId, ...ProfileId[]])
          .meta({ description: 'The profile to start from. Default: portable.' }),
      ),
      characters: z.exactOptional(
        text('Allowed characters, as in the brackets of a regular expression.', 'a-zA-Z0-9_-'),
      ),
      firstCharacters: z.exactOptional(text('Allowed first characters.', 'a-zA-Z_')),
      maxLength: z.exactOptional(
        z
          .int()
          .min(1)
          .meta({ description: "Longest name, including the client's prefix.", examples: [64] }),
      ),
      prefix: z.exactOptional(
        text(
          'What the client puts in front of names; {key} is the key of Callsign.',
          'mcp__{key}__',
        ),
      ),
      clients: z.exactOptional(
        texts('The names that such clients announce, or how these names begin.', 'my-client'),
      ),
      listsOnce: z.exactOptional(
        z.boolean().meta({
          description: 'Whether such clients ask for lists only once; see "listOnceWaitMs".',
          examples: [true],
        }),
      ),
      view: z.exactOptional(WHOLE_VIEW),
    })
    .meta({ examples: [{ characters: 'a-zA-Z0-9_', maxLength: 40, clients: ['my-client'] }] }),
);

export const OWN_PROFILES = z.lazy(() =>
  z
    .record(z.string(), ownProfile)
    .meta({
      description: 'Your own client profiles, by name.',
      examples: [{ 'my-client': { like: 'openai', clients: ['my-client'] } }],
    })
    .default({}),
);
