/** How the tools of an adapter are named, unless it says otherwise. */
export const DEFAULT_PATTERN = '{adapter}_mcpaql_{endpoint}';
