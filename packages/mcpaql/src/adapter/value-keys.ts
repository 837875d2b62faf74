/** The keys of a shape that decide which values are valid, besides `type`. */
export const VALUE_KEYS = [
  'enum',
  'minimum',
  'maximum',
  'min_length',
  'max_length',
  'pattern',
  'format',
  'min_items',
  'max_items',
  'items',
  'properties',
  'additional_properties',
  'one_of',
] as const;
