/** The addresses of the MCP endpoint: `/mcp`, and `/mcp/profile/NAME`. */

const BASE = 'http://localhost';
export const MCP_PATH = '/mcp';
/** The most common URL, which needs no parsing. */
export const MCP_URL: URL = new URL(MCP_PATH, BASE);
const PROFILE_PATH = /^\/mcp\/profile\/([^/]+)$/;

/** The URL of a request; `undefined` if it is not valid. */
export function urlOf({ url = '/' }: { readonly url?: string | undefined }): URL | undefined {
  if (url === MCP_PATH) return MCP_URL;
  return URL.canParse(url, BASE) ? new URL(url, BASE) : undefined;
}

/** The profile that a path names. */
export function profileIn(path: string): string | undefined {
  return PROFILE_PATH.exec(path)?.[1];
}
