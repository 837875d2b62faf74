/** Selects the requested fields of an answer that match their schemas. */

import type * as z from 'zod';

/** The fields that a tool can return, each with its schema. */
export type FieldShape = Readonly<Record<string, z.ZodType>>;

/** Missing, null and invalid values are omitted, so an answer always matches its schema. */
export function selected(
  item: object,
  shape: FieldShape,
  fields: readonly string[] = Object.keys(shape),
): Record<string, unknown> {
  const chosen = fields.flatMap((field): [string, unknown][] => {
    const value = shape[field]?.safeParse(Reflect.get(item, field));
    return value?.success && value.data !== undefined ? [[field, value.data]] : [];
  });
  return Object.fromEntries(chosen);
}
