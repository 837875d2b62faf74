/** The schema of an adapter's file. Checks, defaults and editors all use it. */

import { ENDPOINTS } from '@callsign/effects';
import { wordsOf } from '@callsign/naming';
import * as z from 'zod';

import { type AdapterDocument, RATE_WINDOWS, TYPE_KINDS } from './adapter-document.js';
import { DEFAULT_PATTERN } from './default-pattern.js';
import { amount, flag, matching, SNAKE_NAME, snakeName, text } from './field-schema.js';
import { OPERATION } from './operation-schema.js';
import { PROPERTY, VALUE } from './param-schema.js';
import { AUTH, TARGET } from './target-schema.js';
import { TRUST_LEVELS } from './trust.js';

const NAME = /^[a-z][a-z0-9-]*[a-z0-9]$/;
const SEMVER = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;

const toolNames = z
  .strictObject({
    pattern: text(
      'The names of its tools, made of {adapter} and {endpoint}.',
      DEFAULT_PATTERN,
    ).default(DEFAULT_PATTERN),
    legacy: flag('Whether the old shared names mcp_aql_* are offered too.', false).default(false),
  })
  .meta({ description: 'The names of its tools.', examples: [{ pattern: DEFAULT_PATTERN }] });

const rateLimit = z
  .strictObject({
    scope: z.enum(['global', 'endpoint', 'operation']).meta({ description: 'What it counts.' }),
    endpoint: z.exactOptional(z.enum(ENDPOINTS).meta({ description: 'The endpoint it counts.' })),
    operation: z.exactOptional(snakeName('The operation it counts.', 'list_berths')),
    limit: amount('How many calls.', 1, 120),
    window: z.enum(RATE_WINDOWS).meta({ description: 'The period of the limit.' }),
  })
  .meta({ examples: [{ scope: 'global', limit: 120, window: 'minute' }] });

const typeDefinition = z
  .strictObject({
    kind: z.enum(TYPE_KINDS).meta({ description: 'What it is.' }),
    description: z.exactOptional(text('What it means.', 'A place to moor')),
    values: z.exactOptional(
      z
        .array(z.union([z.string(), z.number()], { error: 'must be a string or a number' }))
        .meta({ description: 'For an enum: its values.', examples: [['free', 'taken']] }),
    ),
    fields: z.exactOptional(
      z.record(z.string(), PROPERTY).meta({
        description: 'For an object: its fields.',
        examples: [{ id: { type: 'string' } }],
      }),
    ),
    members: z.exactOptional(
      z
        .array(text('The name of a type.', 'Berth'))
        .meta({ description: 'For a union: its types.', examples: [['Berth', 'Buoy']] }),
    ),
  })
  .meta({ id: 'type', examples: [{ kind: 'object', fields: { id: { type: 'string' } } }] });

const operations = z
  .strictObject(
    Object.fromEntries(
      ENDPOINTS.map((endpoint) => [
        endpoint,
        z.exactOptional(
          z.array(OPERATION).meta({
            description: `Its operations for ${endpoint}.`,
            examples: [[{ name: `${endpoint === 'read' ? 'get' : endpoint}_berth` }]],
          }),
        ),
      ]),
    ),
  )
  .meta({
    description: 'Its operations, by effect.',
    examples: [{ read: [{ name: 'list_berths', maps_to: 'GET /berths' }] }],
  });

const words = (description: string, example: string): z.ZodArray<z.ZodString> =>
  z.array(text('A word.', example)).meta({ description, examples: [[example]] });

const document = z.strictObject({
  name: z
    .string()
    .superRefine((given, { addIssue }) => {
      if (NAME.test(given) && given.length <= 64) return;
      const parts = /[^A-Za-z0-9]/.test(given) ? given.split(/[^A-Za-z0-9]+/) : wordsOf(given);
      const meant = parts.filter(Boolean).join('-').toLowerCase().slice(0, 64);
      const advice = `write name: "${NAME.test(meant) ? meant : 'harbour-logbook'}"`;
      const message = 'must be 2 to 64 of a-z, 0-9 and -, and start with a letter';
      addIssue({ code: 'custom', message, params: { advice } });
    })
    .meta({
      description: 'Its name.',
      examples: ['harbour-logbook'],
      pattern: NAME.source,
      maxLength: 64,
    }),
  type: z.literal('adapter').meta({ description: 'What this file is.', examples: ['adapter'] }),
  version: matching(SEMVER, 'must be a version in three parts', 'Its version.', '1.0.0'),
  description: text('What it is for, in one sentence.', 'Berths and bookings of a harbour'),
  display_name: z.exactOptional(text('Its name for people.', 'Harbour Logbook')),
  tool_names: toolNames.prefault({}),
  target: TARGET,
  auth: AUTH.default({ type: 'none' }),
  headers: z
    .record(
      z.string(),
      z
        .string()
        .regex(/^[^\r\n\0]*$/, 'must not contain a line break')
        .meta({ examples: ['2026-01-01'] }),
    )
    .meta({ description: 'Headers of every request.', examples: [{ 'X-Version': '2026-01-01' }] })
    .default({}),
  trust: z
    .strictObject({
      level: z.enum(TRUST_LEVELS).meta({ description: 'How far it has been reviewed.' }),
    })
    .meta({ description: 'What it may do.', examples: [{ level: 'validated' }] })
    .default({ level: 'validated' }),
  rate_limits: z
    .strictObject({
      api_limits: z
        .array(rateLimit)
        .meta({
          description: 'How often it may be called.',
          examples: [[{ scope: 'global', limit: 120, window: 'minute' }]],
        })
        .default([]),
    })
    .meta({ description: 'How often it may be called.', examples: [{ api_limits: [] }] })
    .prefault({}),
  operations: operations as z.ZodType<AdapterDocument['operations']>,
  types: z
    .record(z.string(), typeDefinition)
    .meta({
      description: 'Types by name, for introspection.',
      examples: [{ Berth: { kind: 'object' } }],
    })
    .default({}),
  shapes: z
    .record(z.string().regex(SNAKE_NAME, 'must be snake_case: a-z, 0-9 and _'), VALUE)
    .meta({
      description: 'Shapes of values by name, written once and referred to with shape.',
      examples: [{ berth: { type: 'object', properties: { id: { type: 'string' } } } }],
    })
    .default({}),
  author: z.exactOptional(text('Who wrote it.', 'The harbour master')),
  tags: z.exactOptional(words('Words to find it by.', 'harbour')),
  triggers: z.exactOptional(words('Words that call for it.', 'berth')),
  created: z.exactOptional(text('When it was written.', '2026-01-01')),
  modified: z.exactOptional(text('When it was changed.', '2026-01-01')),
});

/** The schema of each key, to check the valid keys of a file in which others are wrong. */
export const DOCUMENT_FIELDS: Readonly<Record<string, z.ZodType>> = document.shape;

export const ADAPTER_DOCUMENT: z.ZodType<AdapterDocument> = document.meta({
  title: 'MCPAQL adapter',
  examples: [{ name: 'harbour-logbook', type: 'adapter', version: '1.0.0' }],
});

/** Draft 7: all editors support it. */
export function adapterSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(ADAPTER_DOCUMENT, { io: 'input', target: 'draft-7' });
}
