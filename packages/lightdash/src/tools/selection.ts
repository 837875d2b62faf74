/** Takes out of what Lightdash gave the fields that were asked for, and those that fit alone. */

import type * as z from 'zod';

/** The fields that a tool can give, each with its form. */
export type FieldShape = Readonly<Record<string, z.ZodType>>;

/** Whatever is missing, null or of another form than promised is left out: an answer never breaks its schema. */
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
