/** An adapter as a TypeScript package that stands alone: a pure function from the adapter to the package's files. */

import type { Adapter } from '../adapter/adapter.js';
import type { ToolNamesOptions } from '../endpoints/tool-names.js';
import { adapterFile, operationsFile, toolsFile } from './adapter-files.js';
import { FIXED_FILES } from './fixed-files.js';
import { RUNTIME_FILES } from './generated/runtime-files.js';
import { manifestFile, readmeFile } from './package-files.js';
import { testFile } from './test-file.js';

export type GenerateOptions = ToolNamesOptions;

/** Files by their paths. Throws for an adapter whose target is not HTTP: there is nothing to stand alone on. */
export function generateAdapter(
  adapter: Adapter,
  options: GenerateOptions = {},
): ReadonlyMap<string, string> {
  const { transport } = adapter.target;
  if (transport !== 'http') {
    throw new RangeError(
      `The adapter "${adapter.name}" has the transport ${transport}; only adapters over HTTP become packages. Serve it instead: callsign adapter serve.`,
    );
  }
  return new Map([
    ['package.json', manifestFile(adapter)],
    ['README.md', readmeFile(adapter, options)],
    ['src/adapter.ts', adapterFile(adapter)],
    ['src/tools.ts', toolsFile(adapter, options)],
    ['src/operations.ts', operationsFile(adapter)],
    ...FIXED_FILES,
    ['test/adapter.test.ts', testFile()],
    ...Array.from(RUNTIME_FILES, ([path, text]) => [`src/runtime/${path}`, text] as const),
  ]);
}
