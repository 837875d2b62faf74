/** The shapes inside a shape: of elements, properties, and the forms of a union. */

import type { PropertyShape, ValueShape } from './adapter-document.js';

/** A shape inside another one, and its position there. */
type Part = readonly [path: readonly (string | number)[], shape: ValueShape];

/** Only the direct parts. */
export function shapeParts(shape: ValueShape): readonly Part[] {
  const { items, prefix_items = [], properties = {}, additional_properties, one_of = [] } = shape;
  return [
    ...(items ? [[['items'], items] as const] : []),
    ...prefix_items.map((part, i): Part => [['prefix_items', i], part]),
    ...one_of.map((part, i): Part => [['one_of', i], part]),
    ...Object.entries(properties).map(([key, part]): Part => [['properties', key], part]),
    ...(typeof additional_properties === 'object'
      ? [[['additional_properties'], additional_properties] as const]
      : []),
  ];
}

/** The shape with `of` each direct part. A shape without parts is returned as it is. */
export function withParts<S extends ValueShape>(
  shape: S,
  of: <P extends ValueShape>(part: P) => P,
): S {
  const { items, prefix_items, properties, additional_properties, one_of } = shape;
  const others = typeof additional_properties === 'object' ? additional_properties : undefined;
  // Most shapes are simple. They are not copied, because a large API has very many.
  if (!items && !prefix_items && !properties && !others && !one_of) return shape;
  return {
    ...shape,
    ...(items ? { items: of(items) } : {}),
    ...(prefix_items ? { prefix_items: prefix_items.map((part) => of(part)) } : {}),
    ...(properties ? { properties: mapped(properties, of) } : {}),
    ...(others ? { additional_properties: of(others) } : {}),
    ...(one_of ? { one_of: one_of.map((part) => of(part)) } : {}),
  };
}

function mapped(
  properties: Readonly<Record<string, PropertyShape>>,
  of: (part: PropertyShape) => PropertyShape,
): Record<string, PropertyShape> {
  return Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, of(part)]));
}
