/** Splits a tool's name into words, for verbs and titles. Never used for routing. */

/** `getHTTPPage`, `get_http_page` and `get-http-page` all give `get`, `http`, `page`. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The parts between `__`, `.`, `/` and `:`, where servers, groups and tools are usually joined. */
export function segmentsOf(name: string): string[] {
  return name.split(/__+|[./:]/).filter((segment) => segment !== '');
}
