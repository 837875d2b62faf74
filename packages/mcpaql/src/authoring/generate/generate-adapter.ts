/** Generates a TypeScript package from an adapter. The files depend only on the adapter and the runtime. */

import type { Adapter } from '../../adapter/adapter.js';
import type { ToolNamesOptions } from '../../endpoints/tool-names.js';
import { writeAdapter } from '../../runtime/adapter-json.js';
import { ADAPTER_FILE, operationsFile, toolsFile } from './adapter-files.js';
import { FIXED_FILES } from './fixed-files.js';
import { manifestFile, readmeFile } from './package-files.js';
import { runtimeFiles } from './runtime-files.js';
import { testFile } from './test-file.js';

/** The names of the tools in the package. */
export type GenerateOptions = ToolNamesOptions;

/** The files by path. Throws for an adapter whose target is not HTTP: a package could not reach it. */
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
    ['adapter.json', writeAdapter(adapter)],
    ['src/adapter.ts', ADAPTER_FILE],
    ['src/tools.ts', toolsFile(adapter, options)],
    ['src/operations.ts', operationsFile(adapter)],
    ...FIXED_FILES,
    ['test/adapter.test.ts', testFile()],
    ...runtimeFiles(),
  ]);
}
