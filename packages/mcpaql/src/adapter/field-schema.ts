/** Building blocks of the adapter schemas. Each takes a description and an example for editors. */

import * as z from 'zod';

/** The form of names of operations, parameters and shapes. */
export const SNAKE_NAME: RegExp = /^[a-z][a-z0-9_]*$/;
const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const URL_TEXT = /^https?:\/\/\S+$/;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+*-]+(?:; ?[\w-]+=[\w.-]+)*$/;
const FIELD_PATH = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;
/** The longest delay of a timer in Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const text = (description: string, example: string): z.ZodString =>
  z
    .string()
    .min(1)
    .meta({ description, examples: [example] });

export const matching = (
  pattern: RegExp,
  rule: string,
  description: string,
  example: string,
): z.ZodString =>
  z
    .string()
    .regex(pattern, rule)
    .meta({ description, examples: [example] });

export const snakeName = (description: string, example: string): z.ZodString =>
  matching(SNAKE_NAME, 'must be snake_case: a-z, 0-9 and _', description, example);

export const environmentName = (description: string, example: string): z.ZodString =>
  matching(ENVIRONMENT_NAME, 'must be the name of an environment variable', description, example);

export const url = (description: string, example: string): z.ZodString =>
  matching(URL_TEXT, 'must be an address that starts with https://', description, example);

export const mediaType = (description: string, example: string): z.ZodString =>
  matching(MEDIA_TYPE, 'must be a media type', description, example);

export const fieldPath = (description: string, example: string): z.ZodString =>
  matching(FIELD_PATH, 'must be dotted keys', description, example);

export const fieldPaths = (description: string): z.ZodArray<z.ZodString> =>
  z
    .array(fieldPath('Dotted keys.', 'id'))
    .min(1)
    .meta({ description, examples: [['id', 'owner.name']] });

export const flag = (description: string, example: boolean): z.ZodBoolean =>
  z.boolean().meta({ description, examples: [example] });

export const amount = (description: string, least: number, example: number): z.ZodInt =>
  z
    .int()
    .min(least)
    .meta({ description, examples: [example] });

export const number = (description: string, example: number): z.ZodNumber =>
  z.number().meta({ description, examples: [example] });

export const milliseconds = (description: string, standard: number): z.ZodDefault<z.ZodInt> =>
  z
    .int()
    .min(1)
    .max(LONGEST_TIMER_MS)
    .meta({ description, examples: [standard] })
    .default(standard);
