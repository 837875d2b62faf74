/**
 * The JSON Schema of the configuration file, for editors. It comes from the schema of the loader.
 */

import * as z from 'zod';

import { WRITTEN_ENTRY } from './server-entry-schema.js';
import { SERVER_SECTIONS } from './server-sections.js';
import { SETTINGS } from './settings.js';

const ENTRIES = z.lazy(() =>
  z
    .record(z.string(), WRITTEN_ENTRY.meta({ id: 'serverEntry' }))
    .meta({ description: 'MCP servers by key.' }),
);

const DOCUMENT = z.lazy(() =>
  z
    .looseObject({
      $schema: z.exactOptional(z.string()),
      ...Object.fromEntries(SERVER_SECTIONS.map((key) => [key, z.exactOptional(ENTRIES)])),
      callsign: z.exactOptional(SETTINGS),
    })
    .meta({
      title: 'Callsign configuration',
      anyOf: SERVER_SECTIONS.map((key) => ({ required: [key] })),
    }),
);

/** Draft 7, which every editor understands. */
export function configSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(DOCUMENT, { io: 'input', target: 'draft-7' });
}
