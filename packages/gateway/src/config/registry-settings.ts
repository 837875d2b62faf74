/** The setting `registry`: where servers are found by name. */

import { type SettingOf, textMap } from '@callsign/config';
import * as z from 'zod';

/** Plain HTTP only on this machine: on the way, the name of a program could be changed. */
const ADDRESS =
  /^(?:https:\/\/[^\s?#@/]+(?:\/[^\s?#@]*)?|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/[^\s?#@]*)?)$/;

export const REGISTRY = z.lazy(() =>
  z
    .strictObject({
      url: z
        .string()
        .regex(ADDRESS, {
          error: 'must be an https address without a query; http is for this machine only',
        })
        .meta({
          description: 'The address before /v0.1/servers.',
          examples: ['https://registry.example.com'],
        }),
      headers: textMap(
        'Headers for its requests. Variables and secrets are replaced.',
        'Authorization',
        'Bearer ${keychain:registry}',
      ),
    })
    .meta({
      description:
        'The registry of "callsign search --registry" and "callsign add io.github.x/y": any with the v0.1 API of the MCP registry. Default: the official one.',
      examples: [{ url: 'https://registry.example.com' }],
    }),
);

export type RegistrySettings = SettingOf<typeof REGISTRY>;
