// Serves a folder on the loopback address.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Resolves to the address. */
export function serveFolder(folder, port) {
  const server = createServer((request, response) => {
    const file = fileFor(folder, request.url ?? '/');
    if (file === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.\n');
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${server.address().port}/`);
    });
  });
}

/** The file of an address; the index of a folder. `undefined` if there is none below the folder. */
function fileFor(folder, url) {
  try {
    // A URL has no `..` left in its path, but an encoded one may.
    const path = normalize(decodeURIComponent(new URL(url, 'http://site').pathname));
    if (path.split(/[\\/]/).includes('..')) return undefined;
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
