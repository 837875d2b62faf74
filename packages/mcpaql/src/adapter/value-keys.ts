/** The keys of a shape that decide which values are valid, besides `type`. */
export const VALUE_KEYS = [
  'enum',
  'minimum',
  'maximum',
  'exclusive_minimum',
  'exclusive_maximum',
  'multiple_of',
  'min_length',
  'max_length',
  'pattern',
  'format',
  'min_items',
  'max_items',
  'unique_items',
  'prefix_items',
  'items',
  'min_properties',
  'max_properties',
  'properties',
  'additional_properties',
  'one_of',
] as const;

/**
 * The name of the schema that a shape was read from. A symbol, so that it is copied with the shape but never written,
 * compared or hashed.
 */
export const SCHEMA_NAME: unique symbol = Symbol('schema name');
