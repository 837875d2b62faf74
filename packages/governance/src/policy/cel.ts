/** The language of conditions: large, and loaded for the first of them, since most configurations have none. */

import { createRequire } from 'node:module';

import type * as Cel from '@marcbachmann/cel-js';

// At once, and not by `import()`: whoever reads a configuration does not wait for anything.
const load = createRequire(import.meta.url);
let loaded: typeof Cel | undefined;

export function cel(): typeof Cel {
  return (loaded ??= load('@marcbachmann/cel-js') as typeof Cel);
}
