/** The default name pattern for the tools of an adapter. */
export const DEFAULT_PATTERN = '{adapter}_mcpaql_{endpoint}';
