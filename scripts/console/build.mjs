// Builds the console with Vite into apps/console/dist. Run by the set-up and the tests when a source has changed.
import { copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'vite';

import { APP, DIST, STAMP_FILE, stampOf } from './files.mjs';

export async function buildConsole() {
  const inputs = new Set([join(APP, 'index.html')]);
  const noteInputs = {
    name: 'note-inputs',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const file = id.split('?')[0];
        if (file.startsWith('/') && !file.includes('node_modules')) inputs.add(file);
      }
    },
  };
  await build({
    root: APP,
    configFile: false,
    // Relative, so that the page works below any path of a proxy.
    base: './',
    logLevel: 'warn',
    plugins: [noteInputs],
    resolve: { conditions: ['callsign-source', 'module', 'browser', 'import', 'default'] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: DIST,
      emptyOutDir: true,
      target: 'es2022',
      // Inlined files would be `data:` addresses, which the page's policy forbids.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
  // The font may be distributed only together with its licence.
  copyFileSync(
    createRequire(join(APP, 'package.json')).resolve('@fontsource-variable/inter/LICENSE'),
    join(DIST, 'font-license.txt'),
  );
  writeFileSync(STAMP_FILE, stampOf([...inputs]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
