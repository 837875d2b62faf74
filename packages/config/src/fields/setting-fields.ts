/**
 * Schemas for single settings. Each has a description and an example, which editors and messages
 * show.
 */

import * as z from 'zod';

/** What a schema of settings returns. Nothing changes settings after they are read. */
export type SettingOf<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export const KIB = 1024;
export const MIB: number = 1024 * KIB;
/** The longest delay that Node's timers accept. A longer one would fire at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** A duration of at least 1 ms, with its default. */
export function milliseconds(description: string, standard: number): z.ZodDefault<z.ZodInt> {
  return z
    .int()
    .min(1)
    .max(LONGEST_TIMER_MS)
    .meta({ description, examples: [standard] })
    .default(standard);
}

/** A whole number of at least `least`, with its default. */
export function count(
  description: string,
  least: number,
  standard: number,
): z.ZodDefault<z.ZodInt> {
  return z
    .int()
    .min(least)
    .meta({ description, examples: [standard] })
    .default(standard);
}

/** A text that is not empty. */
export function text(description: string, example: string): z.ZodString {
  return z
    .string()
    .min(1)
    .meta({ description, examples: [example] });
}

/** A list of texts. An empty list is valid. */
export function texts(
  description: string,
  example: string,
  item: z.ZodString = z.string().min(1),
): z.ZodArray<z.ZodString> {
  return z.array(item.meta({ examples: [example] })).meta({ description, examples: [[example]] });
}

/** Texts by name. Default: an empty object. */
export function textMap(
  description: string,
  key: string,
  value: string,
): z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodString>> {
  return z
    .record(
      z.string(),
      z
        .string()
        .min(1)
        .meta({ examples: [value] }),
    )
    .meta({ description, examples: [{ [key]: value }] })
    .default({});
}
