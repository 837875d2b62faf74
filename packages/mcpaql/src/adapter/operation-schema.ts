/** The schema of one operation. */

import * as z from 'zod';

import {
  type OperationDocument,
  PAGINATION_STYLES,
  REQUEST_FORMATS,
  RESPONSE_FORMATS,
} from './adapter-document.js';
import { DANGER_LEVELS } from './danger.js';
import {
  amount,
  fieldPath,
  fieldPaths,
  flag,
  mediaType,
  snakeName,
  text,
  url,
} from './field-schema.js';
import { PARAMS } from './param-schema.js';

const dangerLevel = z
  .enum(DANGER_LEVELS)
  .meta({ description: 'The worst that a call can do. Default: the endpoint decides.' });

const danger = z
  .strictObject({
    level: dangerLevel,
    reasons: z.exactOptional(
      z.array(text('One reason.', 'Releases the berth at once')).meta({
        description: 'Why it is dangerous.',
        examples: [['Releases the berth at once']],
      }),
    ),
    confirmation_message: z.exactOptional(
      text('The question to a person; {param} is filled in.', "Cancel booking '{booking_id}'?"),
    ),
  })
  .meta({
    description: 'The worst that a call can do, and why.',
    examples: [{ level: 'destructive' }],
  });

const pagination = z
  .strictObject({
    style: z
      .enum(PAGINATION_STYLES)
      .meta({ description: 'How the target splits results into pages.' }),
    default_limit: amount('Elements on a page.', 1, 20).default(20),
    max_limit: amount('The most elements on a page.', 1, 100).max(1000).default(100),
    limit_param: z.exactOptional(text('The parameter for the size of a page.', 'per_page')),
    position_param: z.exactOptional(
      text('The parameter for the offset, the page or the cursor.', 'page'),
    ),
    first_page: z.exactOptional(amount('The number of the first page.', 0, 1)),
    items: z.exactOptional(fieldPath('The path of the list in the response.', 'data.items')),
    total: z.exactOptional(fieldPath('The path of the total in the response.', 'data.total')),
    next_cursor: z.exactOptional(
      fieldPath('The path of the next cursor in the response.', 'data.next'),
    ),
  })
  .meta({ description: 'How long lists are read.', examples: [{ style: 'offset' }] });

const operation = z.strictObject({
  name: snakeName('Verb and resource; unique in the adapter.', 'list_berths'),
  maps_to: text('Its mapping to the target.', 'GET /berths/{berth_id}'),
  description: z.exactOptional(text('What it does, in one sentence.', 'Lists the berths')),
  base_url: z.exactOptional(
    url('The address that its path is appended to.', 'https://uploads.harbour.example'),
  ),
  params: PARAMS.default({}),
  request: z.exactOptional(
    z
      .strictObject({
        format: z.enum(REQUEST_FORMATS).meta({ description: 'How the body is written.' }),
        content_type: z.exactOptional(mediaType('The media type of the body.', 'application/xml')),
        required: z.exactOptional(
          flag('Whether a body is sent if a call has none of its fields.', true),
        ),
      })
      .meta({ description: 'How the request is written.', examples: [{ format: 'form' }] }),
  ),
  response: z.exactOptional(
    z
      .strictObject({
        type: z.exactOptional(text('The name of a type.', 'Berth')),
        description: z.exactOptional(text('What it returns.', 'The berth')),
        format: z.exactOptional(
          z.enum(RESPONSE_FORMATS).meta({ description: 'How the answer is read.' }),
        ),
      })
      .meta({ description: 'What it returns.', examples: [{ type: 'Berth' }] }),
  ),
  pagination: z.exactOptional(pagination),
  supports_fields: z.exactOptional(
    flag('Whether a caller may choose fields; by default if it reads.', false),
  ),
  default_fields: z.exactOptional(fieldPaths('The fields that are returned by default.')),
  field_presets: z.exactOptional(
    z
      .strictObject({
        minimal: z.exactOptional(fieldPaths('The fewest fields that identify an item.')),
        standard: z.exactOptional(fieldPaths('The usual fields.')),
      })
      .meta({
        description: 'Named selections of fields.',
        examples: [{ minimal: ['id', 'name'] }],
      }),
  ),
  danger_level: z.exactOptional(dangerLevel),
  danger: z.exactOptional(danger),
  requires_confirmation: z.exactOptional(flag('Whether each call is confirmed first.', true)),
  non_idempotent: z.exactOptional(
    flag('Whether a second call has further effects. Default: endpoint and method decide.', true),
  ),
  examples: z.exactOptional(
    z
      .array(
        z.strictObject({
          description: z.exactOptional(text('What it shows.', 'The free berths')),
          params: z
            .record(z.string(), z.unknown())
            .meta({ description: 'Its parameters.', examples: [{ free_only: true }] }),
        }),
      )
      .meta({
        description: 'Calls to learn from.',
        examples: [[{ params: { free_only: true } }]],
      }),
  ),
  deprecated: z.exactOptional(text('What to use instead.', 'Use list_berths')),
  review: z.exactOptional(text('A note for the reviewer.', 'Classified by its method')),
  reviewed: z.exactOptional(
    z
      .union([z.literal(false), z.string().regex(/^[0-9a-f]{32}$/)], {
        error: 'must be false or a fingerprint; run callsign adapter review',
      })
      .meta({
        description:
          'Whether a person has reviewed what was imported: false, or a fingerprint of the definition.',
        examples: [false],
      }),
  ),
});

/** The schema of each key, to check the valid keys of an operation in which others are wrong. */
export const OPERATION_FIELDS: Readonly<Record<string, z.ZodType>> = operation.shape;

export const OPERATION: z.ZodType<OperationDocument> = operation.meta({
  id: 'operation',
  examples: [{ name: 'list_berths', maps_to: 'GET /berths' }],
});
