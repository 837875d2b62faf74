/** The files of the console, read once, with headers that isolate the page. */

import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

interface ConsoleFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Files by their path below `/console/`; the page itself has the path ''. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * No inline scripts or styles, nothing from other hosts, no frames, and no text that becomes
 * markup.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

const PAGE = 'index.html';
const FOREVER = 'public, max-age=31536000, immutable';

/** Throws if the folder cannot be read: the console was not built. */
export function readConsoleFiles(folder: string): ConsoleFiles {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = new Map<string, ConsoleFile>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const path = name.replaceAll('\\', '/');
    // The build puts a hash of the content into every other name.
    const cache = path === PAGE ? 'no-cache' : FOREVER;
    const headers = { ...PAGE_HEADERS, 'content-type': type, 'cache-control': cache };
    files.set(path === PAGE ? '' : path, { body: readFileSync(join(folder, name)), headers });
  }
  return files;
}
