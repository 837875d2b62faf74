/** The schema of a parameter. */

import * as z from 'zod';

import type { ParamDocument, PropertyShape, ValueShape } from './adapter-document.js';
import {
  LIST_STYLES,
  OBJECT_STYLES,
  PARAM_PLACES,
  PARAM_TYPES,
  PATH_STYLES,
} from './adapter-document.js';
import {
  amount,
  flag,
  matching,
  mediaType,
  number,
  SNAKE_NAME,
  snakeName,
  text,
} from './field-schema.js';

const scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: 'must be a string, a number or a boolean',
});

const valueFields = {
  type: z.enum(PARAM_TYPES).meta({ description: 'The type of the value.' }),
  description: z.exactOptional(text('What it means.', 'The number of the berth')),
  nullable: z.exactOptional(flag('Whether it may be null.', true)),
  enum: z.exactOptional(
    z
      .array(scalar)
      .min(1)
      .meta({ description: 'The allowed values.', examples: [['free', 'taken']] }),
  ),
  minimum: z.exactOptional(number('The minimum.', 1)),
  maximum: z.exactOptional(number('The maximum.', 100)),
  exclusive_minimum: z.exactOptional(number('The value must be above it.', 0)),
  exclusive_maximum: z.exactOptional(number('The value must be below it.', 1)),
  multiple_of: z.exactOptional(
    z
      .number()
      .gt(0)
      .meta({ description: 'The value must be a multiple of it.', examples: [0.01] }),
  ),
  min_length: z.exactOptional(amount('The minimum number of characters.', 0, 1)),
  max_length: z.exactOptional(amount('The maximum number of characters.', 0, 80)),
  pattern: z.exactOptional(text('A regular expression that text must match.', '^[A-Z]{2}$')),
  format: z.exactOptional(text('The kind of text, for people and models.', 'date-time')),
  min_items: z.exactOptional(amount('The minimum number of elements.', 0, 1)),
  max_items: z.exactOptional(amount('The maximum number of elements.', 0, 10)),
  unique_items: z.exactOptional(flag('Whether all elements must differ.', true)),
  prefix_items: z.exactOptional(
    z
      .array(z.lazy(() => VALUE))
      .min(1)
      .meta({
        description: 'What the first elements of a list are, one by one. The rest is in items.',
        examples: [[{ type: 'number' }, { type: 'number' }]],
      }),
  ),
  items: z.exactOptional(
    z
      .lazy(() => VALUE)
      .meta({ description: 'What each element of a list is.', examples: [{ type: 'string' }] }),
  ),
  min_properties: z.exactOptional(amount('The minimum number of keys.', 0, 1)),
  max_properties: z.exactOptional(amount('The maximum number of keys.', 0, 10)),
  properties: z.exactOptional(
    z
      .record(
        z.string(),
        z.lazy(() => PROPERTY),
      )
      .meta({
        description: 'The properties of an object, by key.',
        examples: [{ name: { type: 'string' } }],
      }),
  ),
  additional_properties: z.exactOptional(
    z.union([z.boolean(), z.lazy(() => VALUE)]).meta({
      description:
        'Whether an object may have other keys than its properties, or what their values are.',
      examples: [true, { type: 'string' }],
    }),
  ),
  one_of: z.exactOptional(
    z
      .array(z.lazy(() => VALUE))
      .min(1)
      .meta({
        description: 'The forms of a union. A value must fit one of them.',
        examples: [[{ type: 'string' }, { type: 'integer' }]],
      }),
  ),
  shape: z.exactOptional(snakeName('The name of a shape in shapes that has the rest.', 'berth')),
};

const required = z.exactOptional(flag('Whether it is required.', true));

export const VALUE: z.ZodType<ValueShape> = z
  .strictObject(valueFields)
  .meta({ id: 'value', description: 'What a value may be.', examples: [{ type: 'string' }] });

export const PROPERTY: z.ZodType<PropertyShape> = z
  .strictObject({ ...valueFields, required })
  .meta({ id: 'property', examples: [{ type: 'string', required: true }] });

export const PARAM: z.ZodType<ParamDocument> = z
  .strictObject({
    ...valueFields,
    required,
    default: z.exactOptional(
      z.unknown().meta({ description: 'The default value.', examples: [20] }),
    ),
    in: z.exactOptional(
      z.enum(PARAM_PLACES).meta({
        description: 'Where in the request it goes; payload is the whole body.',
      }),
    ),
    as: z.exactOptional(
      matching(
        // oxlint-disable-next-line no-control-regex -- they would break a header or a query
        /^[^\s\u0000-\u001f]+$/,
        'must not contain a space',
        'Its name at the target.',
        'berthId',
      ),
    ),
    list_style: z.exactOptional(
      z.enum(LIST_STYLES).meta({
        description:
          'How a list is written outside a JSON body: the key repeated, or one text with separators.',
      }),
    ),
    object_style: z.exactOptional(
      z.enum(OBJECT_STYLES).meta({
        description: 'How an object is written outside a JSON body.',
      }),
    ),
    path_style: z.exactOptional(
      z.enum(PATH_STYLES).meta({
        description: 'How its value begins in a path: label is .value, matrix is ;name=value.',
      }),
    ),
    content_type: z.exactOptional(
      mediaType('The media type of its part in a multipart body.', 'application/json'),
    ),
    sensitive: z.exactOptional(flag('Whether its value is kept out of messages.', true)),
    review: z.exactOptional(text('A note for the reviewer.', 'Guessed from its name')),
  })
  .meta({ id: 'param', examples: [{ type: 'string', required: true }] });

export const PARAMS: z.ZodType<Readonly<Record<string, ParamDocument>>> = z
  .record(z.string().regex(SNAKE_NAME, 'must be snake_case: a-z, 0-9 and _'), PARAM)
  .meta({
    description: 'Parameters by name.',
    examples: [{ berth_id: { type: 'string', required: true } }],
  });
