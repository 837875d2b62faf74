// Builds the documentation site: `npm run docs [-- --serve [--port N]] [--out FOLDER] [--repository URL]`
// --serve: serve it on the loopback address. --repository: where links to source files lead, such as
// https://github.com/OWNER/NAME. Without it they are text.
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { buildSite } from './build.mjs';
import { serveFolder } from './serve.mjs';

const { values } = parseArgs({
  options: {
    serve: { type: 'boolean' },
    port: { type: 'string', default: '0' },
    out: { type: 'string', default: fileURLToPath(new URL('../../dist/docs', import.meta.url)) },
    repository: { type: 'string' },
  },
});

try {
  const start = performance.now();
  const count = await buildSite({ out: values.out, repository: values.repository });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${count} pages in ${seconds} s: ${relative('', join(values.out, 'index.html'))}`);
  if (values.serve) {
    console.log(`Serving ${await serveFolder(values.out, Number(values.port))} (Ctrl-C to stop)`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
