/** The key `profiles` of the settings: profiles of clients that Callsign does not know. */

import { type ProfileId, PROFILES } from '@callsign/naming';
import * as z from 'zod';

import { text, texts } from '@callsign/config';

import type { ClientSettings } from './settings.js';
import { WHOLE_VIEW } from './view-settings.js';

const BASES = [...PROFILES].flatMap(([id, { separator }]) => (separator === '__' ? [id] : []));

const ownProfile: z.ZodType<ClientSettings> = z
  .strictObject({
    like: z.exactOptional(
      z
        .enum(BASES as [ProfileId, ...ProfileId[]])
        .meta({ description: 'The profile that it starts from. Unset: portable.' }),
    ),
    characters: z.exactOptional(
      text(
        'The characters of names, as between the brackets of a regular expression.',
        'a-zA-Z0-9_-',
      ),
    ),
    firstCharacters: z.exactOptional(text('The first characters of names.', 'a-zA-Z_')),
    maxLength: z.exactOptional(
      z
        .int()
        .min(1)
        .meta({ description: 'Longest name, with the prefix.', examples: [64] }),
    ),
    prefix: z.exactOptional(
      text("The client's prefix for names; {key} is the key of Callsign.", 'mcp__{key}__'),
    ),
    clients: z.exactOptional(
      texts('The beginnings of the names that such clients announce.', 'my-client'),
    ),
    listsOnce: z.exactOptional(
      z.boolean().meta({
        description: 'Whether such clients ask for lists only once; see "listOnceWaitMs".',
        examples: [true],
      }),
    ),
    view: z.exactOptional(WHOLE_VIEW),
  })
  .meta({ examples: [{ characters: 'a-zA-Z0-9_', maxLength: 40, clients: ['my-client'] }] });

export const OWN_PROFILES: z.ZodType<Readonly<Record<string, ClientSettings>>> = z
  .record(z.string(), ownProfile)
  .meta({
    description: 'Client profiles of your own, by name.',
    examples: [{ 'my-client': { like: 'openai', clients: ['my-client'] } }],
  })
  .default({});
